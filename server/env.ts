import { z } from 'zod'
import { log } from './kit/log'

const text = z.string().trim().min(1)
const url = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).transform((u) => u.replace(/\/+$/, ''))
const whole = (min: number, max: number) =>
  z.coerce.number({ error: 'must be a whole number' }).int('must be a whole number').min(min).max(max)
const hostPorts = z
  .string()
  .transform((list) => list.split(',').map((h) => h.trim().toLowerCase()))
  .transform((list) => list.filter((h) => h !== ''))
  .refine(
    (list) => list.every((h) => /^(\[[0-9a-f:.]+\]|[^:\s]+):\d{1,5}$/.test(h)),
    'must be a comma list of host:port',
  )

const Variables = z.object({
  DATABASE_URL: z.url({
    protocol: /^postgres(ql)?$/,
    error: 'must be a postgresql:// URL; without it, start through npm run quickstart',
  }),
  AUTH_SECRET: z
    .string({ error: 'must be set: 32 or more random characters' })
    .min(32, 'must have 32 or more characters'),
  PUBLIC_URL: url.optional(),
  SITES_URL: url.optional(),
  UPSTREAMS: z.enum(['sandbox', 'live'], 'must be sandbox or live').default('live'),
  SANDBOX_URL: url.default('http://127.0.0.1:4010'),
  SIGNUP: z.enum(['open', 'closed'], 'must be open or closed').optional(),
  SIGNUP_CREDITS: whole(0, 1e12).optional(),
  TRUST_PROXY: whole(0, 16).default(0),
  PORT: whole(1, 65535).default(3000),
  METRICS_TOKEN: text.optional(),
  DATA_DIR: text.default('.data'),
  ENCRYPTION_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal characters (32 bytes)')
    .optional(),
  AGENT_WAIT_MAX_S: whole(1, 3600).default(280),
  AUTH_GITHUB_ID: text.optional(),
  AUTH_GITHUB_SECRET: text.optional(),
  AUTH_GOOGLE_ID: text.optional(),
  AUTH_GOOGLE_SECRET: text.optional(),
  MODELS_FILE: text.optional(),
  CREDITS_PER_USD: whole(1, 1e9).default(2778),
  MARKUP: z.coerce.number({ error: 'must be a number' }).min(1, 'must be at least 1').max(100).default(1.2),
  ALLOW_PRIVATE_HOSTS: hostPorts.default([]),
  STORAGE_URL: z
    .string()
    .regex(/^(file:|s3:\/\/).+/, 'must be file:<folder> or s3://…')
    .default('file:.data/files'),
  CHROMIUM_PATH: text.optional(),
  BRAVE_SEARCH_BASE_URL: url.default('https://api.search.brave.com'),
  BRAVE_SEARCH_API_KEY: text.optional(),
  SEARXNG_URL: url.optional(),
  COINGECKO_BASE_URL: url.default('https://api.coingecko.com/api/v3'),
  COINGECKO_API_KEY: text.optional(),
  IDEALISTA_BASE_URL: url.default('https://idealista7.p.rapidapi.com'),
  RAPIDAPI_KEY: text.optional(),
  APIFY_BASE_URL: url.default('https://api.apify.com'),
  APIFY_TOKEN: text.optional(),
  REDDIT_BASE_URL: url.default('https://oauth.reddit.com'),
  REDDIT_AUTH_URL: url.default('https://www.reddit.com'),
  REDDIT_CLIENT_ID: text.optional(),
  REDDIT_CLIENT_SECRET: text.optional(),
  X_BASE_URL: url.default('https://api.x.com'),
  X_BEARER_TOKEN: text.optional(),
  YOUTUBE_BASE_URL: url.default('https://www.youtube.com'),
  YOUTUBE_API_KEY: text.optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'must be a log level').default('info'),
})

/** Every setting, checked; what is left out is filled from the mode. */
export type Env = ReturnType<typeof readEnv>

/** Checks a set of variables. Throws an EnvError that names each wrong one and says what it must be. */
export function readEnv(source: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = Variables.safeParse(given)
  if (!parsed.success) throw new EnvError(parsed.error.issues.map((i) => `${i.path.join('.')} ${i.message}`))
  const env = parsed.data
  for (const provider of ['GITHUB', 'GOOGLE'] as const) {
    const [id, secret] = [env[`AUTH_${provider}_ID`], env[`AUTH_${provider}_SECRET`]]
    if (Boolean(id) !== Boolean(secret)) {
      throw new EnvError([`AUTH_${provider}_ID and AUTH_${provider}_SECRET must be set together`])
    }
  }
  const sandbox = env.UPSTREAMS === 'sandbox'
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`
  if (env.SITES_URL) checkSitesUrl(new URL(env.SITES_URL), new URL(publicUrl))
  return {
    ...env,
    sandbox,
    PUBLIC_URL: publicUrl,
    SIGNUP: env.SIGNUP ?? (sandbox ? 'open' : 'closed'),
    SIGNUP_CREDITS: env.SIGNUP_CREDITS ?? (sandbox ? 10_000 : 0),
    ALLOW_PRIVATE_HOSTS: [...env.ALLOW_PRIVATE_HOSTS, ...(sandbox ? [new URL(env.SANDBOX_URL).host] : [])],
    ...(sandbox && {
      BRAVE_SEARCH_BASE_URL: `${env.SANDBOX_URL}/brave`,
      BRAVE_SEARCH_API_KEY: 'sandbox',
      SEARXNG_URL: undefined,
      COINGECKO_BASE_URL: `${env.SANDBOX_URL}/coingecko/api/v3`,
      COINGECKO_API_KEY: undefined,
      IDEALISTA_BASE_URL: `${env.SANDBOX_URL}/idealista`,
      RAPIDAPI_KEY: 'sandbox',
      APIFY_BASE_URL: `${env.SANDBOX_URL}/apify`,
      APIFY_TOKEN: 'sandbox',
      REDDIT_BASE_URL: `${env.SANDBOX_URL}/reddit`,
      REDDIT_AUTH_URL: `${env.SANDBOX_URL}/reddit-www`,
      REDDIT_CLIENT_ID: 'sandbox',
      REDDIT_CLIENT_SECRET: 'sandbox',
      X_BASE_URL: `${env.SANDBOX_URL}/x`,
      X_BEARER_TOKEN: 'sandbox',
      YOUTUBE_BASE_URL: `${env.SANDBOX_URL}/youtube`,
      YOUTUBE_API_KEY: undefined,
    }),
  }
}

function checkSitesUrl(sites: URL, own: URL): void {
  if (sites.pathname !== '/' || sites.search || sites.hash)
    throw new EnvError(['SITES_URL must be a host without a path'])
  if (sites.host === own.host) throw new EnvError(['SITES_URL must have a host other than that of PUBLIC_URL'])
}

/** What is wrong with the environment, a line a variable. */
export class EnvError extends Error {
  constructor(readonly lines: string[]) {
    super(lines.join('\n'))
    this.name = 'EnvError'
  }
}

let known: Env | undefined

/** The process's settings, read once at first use, so that a build needs none of them. */
export function env(): Env {
  if (!known) {
    known = readEnv(process.env)
    log.level = known.LOG_LEVEL
  }
  return known
}

/** A credential whose variable another setting names, such as a model's key in MODELS_FILE. */
export const secretNamed = (name: string): string | undefined => process.env[name]?.trim() || undefined

/** Stops the process with one line per wrong variable: the first thing every entry point does. */
export const checkEnv = (): Env => orStop(env)

/** Where the sandbox is to listen: all its process needs, so that it runs without a database or a secret. */
export const checkSandboxUrl = (): string =>
  orStop(() => {
    const parsed = Variables.shape.SANDBOX_URL.safeParse(process.env.SANDBOX_URL || undefined)
    if (!parsed.success) throw new EnvError(parsed.error.issues.map((i) => `SANDBOX_URL ${i.message}`))
    return parsed.data
  })

/** What `read` answers; a wrong setting ends the process with one line each. */
export function orStop<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    for (const line of error.lines) process.stderr.write(`Bad setting: ${line}\n`)
    process.exit(1)
  }
}
