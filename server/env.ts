import type { z } from 'zod'
import { checkProviders, type ProviderLists, simulates } from './env/providers'
import { Variables } from './env/variables'
import { log } from './kit/log'
import { printLine } from './kit/print-line'

type Source = Record<string, string | undefined>

/** Every setting of the server, checked; what is left out is filled from the mode. */
export type Env = ReturnType<typeof readEnv>

/**
 * Checks a set of variables: the server's, and those of `settings`. Throws an EnvError that names
 * each wrong one and says what it must be.
 */
export function readEnv(source: Source, settings: readonly Settings[] = []) {
  const given = nonEmpty(source)
  const parsed = Variables.safeParse(given)
  const halves = [...PAIRS, ...settings.map(({ together = [] }) => together)].flatMap((names) => halfOf(names, given))
  const wrong = [...settings.flatMap(({ schema }) => linesOf(schema.safeParse(given))), ...halves]
  if (!parsed.success || wrong.length > 0) throw new EnvError([...linesOf(parsed), ...wrong])
  const env = parsed.data
  const misnamed = checkProviders(env, settings.length > 0 ? settings.map(({ provider }) => provider) : null)
  if (misnamed.length > 0) throw new EnvError(misnamed)
  const sandbox = env.UPSTREAMS === 'sandbox'
  const isMixed = env.LIVE_PROVIDERS.length + env.SANDBOX_PROVIDERS.length > 0
  const usesSandbox = sandbox || isMixed
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`
  if (env.SITES_URL) checkSitesUrl(new URL(env.SITES_URL), new URL(publicUrl))
  return {
    ...env,
    /** The defaults are those of a development machine. */
    sandbox,
    mode: isMixed ? ('mixed' as const) : env.UPSTREAMS,
    /** Something is simulated, so the sandbox has to run. */
    usesSandbox,
    PUBLIC_URL: publicUrl,
    STORAGE_URL: env.STORAGE_URL ?? `file:${env.DATA_DIR}/files`,
    RETAIN_LOST_FILES_DAYS: env.RETAIN_LOST_FILES_DAYS ?? (env.STORAGE_URL?.startsWith('s3:') ? 0 : 7),
    // Undefined: every address of the machine.
    HOST: env.HOST ?? (sandbox ? '127.0.0.1' : undefined),
    SIGNUP: env.SIGNUP ?? (sandbox ? 'open' : 'closed'),
    SIGNUP_CREDITS: env.SIGNUP_CREDITS ?? (sandbox ? 10_000 : 0),
    ALLOW_PRIVATE_HOSTS: [...env.ALLOW_PRIVATE_HOSTS, ...(usesSandbox ? [new URL(env.SANDBOX_URL).host] : [])],
  }
}

/** Variables that are of no use alone. */
const PAIRS = [
  ['AUTH_GITHUB_ID', 'AUTH_GITHUB_SECRET'],
  ['AUTH_GOOGLE_ID', 'AUTH_GOOGLE_SECRET'],
  ['AUTH_OIDC_ISSUER', 'AUTH_OIDC_ID', 'AUTH_OIDC_SECRET'],
  ['SMTP_URL', 'SMTP_FROM'],
] as const

/** A line where only some of the variables are set. */
function halfOf(names: readonly string[], given: Source): string[] {
  const set = names.filter((name) => given[name])
  return set.length > 0 && set.length < names.length ? [`${names.join(' and ')} must be set together`] : []
}

/** An empty variable counts as absent. */
const nonEmpty = (source: Source) =>
  Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''))

const linesOf = ({ error }: z.ZodSafeParseResult<unknown>): string[] =>
  (error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}`)

function checkSitesUrl(sites: URL, own: URL): void {
  const isSite = sites.host.startsWith('*.') && own.host.endsWith(sites.host.slice(1))
  if (isSite || sites.host === own.host)
    throw new EnvError(['SITES_URL must have a host other than that of PUBLIC_URL'])
  if (sites.host.replace(/^\*\./, '').includes('*'))
    throw new EnvError(['SITES_URL must have its asterisk as the first label, as in https://*.example.com'])
}

/** What is wrong with the environment, a line per variable. */
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

/** The address of the database for what needs a session of its own, past a pooler. */
export const directDatabaseUrl = (given: Pick<Env, 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>): string =>
  given.DATABASE_DIRECT_URL ?? given.DATABASE_URL

/** Whether a provider is simulated here. The language models are the provider `models`. */
export const isSimulated = (provider: string): boolean => simulates(provider, env())

type Declared<S extends z.ZodObject> = {
  /** The provider's name in LIVE_PROVIDERS and SANDBOX_PROVIDERS. */
  provider: string
  /** Variables by name; descriptions are the text of `.env.example`. */
  schema: S
  /** Those that are of no use alone: all of them are set, or none. */
  together?: readonly (keyof S['shape'] & string)[]
  /** The values while the provider is simulated, whatever the environment says. */
  sandbox: (sandboxUrl: string) => Partial<z.output<S>>
}

/**
 * The settings of one module, such as a tool group: a function that returns the process's values.
 */
export type Settings<S extends z.ZodObject = z.ZodObject> = (() => z.output<S>) & Declared<S>

/**
 * Declares the settings of a module: their schema, and their values while its provider is
 * simulated. Read once, at first use.
 */
export function defineSettings<S extends z.ZodObject>(declared: Declared<S>): Settings<S> {
  let values: z.output<S> | undefined
  const read = () => {
    values ??= readSettings(declared, process.env, env())
    return values
  }
  return Object.assign(read, declared)
}

/** Reads a module's settings from a set of variables. Throws an EnvError. */
export function readSettings<S extends z.ZodObject>(
  { provider, schema, sandbox }: Declared<S>,
  source: Source,
  mode: ProviderLists & Pick<Env, 'SANDBOX_URL'>,
): z.output<S> {
  const parsed = schema.safeParse(nonEmpty(source))
  if (!parsed.success) throw new EnvError(linesOf(parsed))
  return { ...parsed.data, ...(simulates(provider, mode) && sandbox(mode.SANDBOX_URL)) }
}

/** A credential whose variable another setting names, such as a model's key in MODELS_FILE. */
export const secretFromEnv = (name: string): string | undefined => process.env[name]?.trim() || undefined

/** Stops the process with one line per wrong variable: the first thing every entry point does. */
export const checkEnv = (settings: readonly Settings[] = []): Env =>
  exitOnEnvError(() => {
    readEnv(process.env, settings)
    return env()
  })

/**
 * Where the sandbox is to listen: all its process needs, so that it runs without a database or a
 * secret.
 */
export const checkSandboxUrl = (): string =>
  exitOnEnvError(() => {
    const parsed = Variables.shape.SANDBOX_URL.safeParse(process.env.SANDBOX_URL || undefined)
    if (!parsed.success) throw new EnvError(parsed.error.issues.map((issue) => `SANDBOX_URL ${issue.message}`))
    return parsed.data
  })

/** Whether this process serves a build: its lines are then read by programs. */
export const isProduction = (): boolean => process.env.NODE_ENV === 'production'

/** What `read` returns; a wrong setting ends the process with one line each. */
export function exitOnEnvError<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    for (const line of error.lines) printLine(`Bad setting: ${line}`)
    process.exit(1)
  }
}
