import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'

type Config = { key?: string; baseUrl: string }

/** As the XDG Base Directory specification says, an empty or relative value counts as not set. */
function configHome(): string {
  const { XDG_CONFIG_HOME = '' } = process.env
  return path.isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : path.join(homedir(), '.config')
}

const file = () => path.join(configHome(), 'tollgate', 'config.json')

function stored(): Partial<Config> {
  try {
    return JSON.parse(readFileSync(file(), 'utf8'))
  } catch {
    return {}
  }
}

/** Options go before the environment, and that before what was stored at login. */
export function readConfig(given: Partial<Config>): Config {
  const { TOLLGATE_KEY, TOLLGATE_URL } = process.env
  const kept = stored()
  return {
    key: given.key ?? TOLLGATE_KEY ?? kept.key,
    baseUrl: (given.baseUrl ?? TOLLGATE_URL ?? kept.baseUrl ?? 'http://localhost:3000').replace(/\/$/, ''),
  }
}

/** Keeps a key for later commands, readable by this user alone. Returns the file. */
export function writeConfig(config: Config): string {
  mkdirSync(path.dirname(file()), { recursive: true, mode: 0o700 })
  writeFileSync(file(), `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 })
  return file()
}
