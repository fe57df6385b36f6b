import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { EnvError, readEnv } from '../../env'
import { toolSettings } from '../../tools/settings'
import { defaultModelsFile, settingsFile } from './config-folder'
import { CliError, dataPath } from './project'

/**
 * Fills what the environment leaves open from the settings file, and MODELS_FILE from beside it.
 * What is set already wins. Throws a CliError where the file cannot be read.
 */
export const loadEnvFile = (): void => void Object.assign(process.env, withSettingsFile(process.env))

/**
 * An environment with what it leaves open, as `loadEnvFile` fills it. Throws a CliError where the
 * file cannot be read.
 */
export function withSettingsFile(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const filled = filledFrom(settingsFile(), given)
  const models = defaultModelsFile()
  return models && !filled.MODELS_FILE ? { ...filled, MODELS_FILE: models } : filled
}

/**
 * Fills what the environment leaves open: from the settings file, then from `env` in the data
 * folder, which keeps the secrets made on the first run. What is set already wins. Without
 * UPSTREAMS the sandbox answers where `isSandbox`, so that nothing else is needed.
 */
export function loadSettings({ isSandbox = true } = {}): void {
  loadEnvFile()
  Object.assign(process.env, filledFrom(keptSecrets(), process.env))
  process.env.UPSTREAMS ||= isSandbox ? 'sandbox' : 'live'
}

/**
 * True where a quickstart has been: commands beside it mean its sandbox and its embedded database.
 */
export const hasSandboxData = (): boolean => existsSync(dataPath('pg'))

function filledFrom(file: string, given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (!existsSync(file)) return { ...given }
  const filled = { ...given }
  for (const [name, value] of Object.entries(parseEnv(readFile(file)))) filled[name] ||= value
  return filled
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new CliError(`The settings in ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`)
  }
}

/**
 * The file with AUTH_SECRET and ENCRYPTION_KEY; lacking ones are made. A lost key would orphan what
 * it encrypted.
 */
function keptSecrets(): string {
  const file = dataPath('env')
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const known = parseEnv(kept)
  const made = [
    known.AUTH_SECRET ? '' : `AUTH_SECRET=${randomBytes(32).toString('base64url')}\n`,
    known.ENCRYPTION_KEY ? '' : `ENCRYPTION_KEY=${randomBytes(32).toString('hex')}\n`,
  ].join('')
  if (made !== '') writePrivateFile(file, kept + (kept === '' || kept.endsWith('\n') ? '' : '\n') + made)
  return file
}

/**
 * Throws a CliError with a line for every wrong variable, before anything starts; the database is
 * checked when it is opened.
 */
export function checkSettings(): void {
  try {
    readEnv({ ...process.env, DATABASE_URL: 'postgresql://checked.later/' }, toolSettings)
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    throw new CliError(error.lines.map((line) => `Bad setting: ${line}`).join('\n'))
  }
}

/** Writes a file that only its owner reads, whole or not at all. */
export function writePrivateFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}.new`
  writeFileSync(draft, text, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, file)
}
