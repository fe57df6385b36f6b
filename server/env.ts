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
    error: 'must be a postgresql:// URL, or embedded for the commands of package.json',
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
  HOST: text.optional(),
  DRAIN_DELAY_S: whole(0, 600).default(0),
  METRICS_TOKEN: text.optional(),
  DATA_DIR: text.default('.data'),
  ENCRYPTION_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal characters (32 bytes)')
    .optional(),
  OWNER_RPM: whole(1, 1e9).default(10_000),
  OWNER_CONCURRENCY: whole(1, 1e6).default(200),
  RETAIN_RECEIPTS_DAYS: whole(0, 36_500)
    .refine((days) => days === 0 || days >= 31, 'must be 0 (for ever) or at least 31')
    .default(0),
  RETAIN_RUN_OUTPUT_DAYS: whole(0, 36_500).default(90),
  RETAIN_SITE_VERSIONS: whole(0, 1e6).default(20),
  RETAIN_LOST_FILES_DAYS: whole(0, 36_500).optional(),
  READ_TIMEOUT_MS: whole(100, 600_000).default(3_000),
  AGENT_WAIT_MAX_S: whole(1, 3600).default(280),
  WATCHDOG_S: whole(0, 3600).default(60),
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
    .optional(),
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
    STORAGE_URL: env.STORAGE_URL ?? `file:${env.DATA_DIR}/files`,
    RETAIN_LOST_FILES_DAYS: env.RETAIN_LOST_FILES_DAYS ?? (env.STORAGE_URL?.startsWith('s3:') ? 0 : 7),
    // Undefined: every address of the machine.
    HOST: env.HOST ?? (sandbox ? '127.0.0.1' : undefined),
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
export const secretFromEnv = (name: string): string | undefined => process.env[name]?.trim() || undefined

/** Stops the process with one line per wrong variable: the first thing every entry point does. */
export const checkEnv = (): Env => exitOnEnvError(env)

/** Where the sandbox is to listen: all its process needs, so that it runs without a database or a secret. */
export const checkSandboxUrl = (): string =>
  exitOnEnvError(() => {
    const parsed = Variables.shape.SANDBOX_URL.safeParse(process.env.SANDBOX_URL || undefined)
    if (!parsed.success) throw new EnvError(parsed.error.issues.map((i) => `SANDBOX_URL ${i.message}`))
    return parsed.data
  })

/** What `read` answers; a wrong setting ends the process with one line each. */
export function exitOnEnvError<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    for (const line of error.lines) process.stderr.write(`Bad setting: ${line}\n`)
    process.exit(1)
  }
}
