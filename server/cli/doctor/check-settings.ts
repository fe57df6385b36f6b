import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { type Env, EnvError, env, readEnv } from '../../env'
import { VARIABLE_SECTIONS } from '../../env/variables'
import { toolSettings } from '../../tools/settings'
import { settingsFile } from '../kit/config-folder'
import { type DoctorCheck, failure, warning, well } from './check'

/** How many letters differ: put in, left out, exchanged, or swapped with the next one. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}

/** The known name that a mistyped one most likely means; null: it is known, or like none. */
function nearName(name: string, known: readonly string[]): string | null {
  if (known.includes(name)) return null
  const limit = name.length < 8 ? 1 : 2
  const near = known.map((one) => ({ one, apart: distance(name.toUpperCase(), one) }))
  const [nearest] = near.filter(({ apart }) => apart <= limit).sort((a, b) => a.apart - b.apart)
  return nearest?.one ?? null
}

const NAME = 'settings'

/** Checks every setting without ending the process. The database is checked when it is opened. */
export function checkAllSettings(source: NodeJS.ProcessEnv): DoctorCheck[] {
  try {
    const read = readEnv({ ...source, DATABASE_URL: 'postgresql://checked.later/' }, toolSettings)
    return [well(NAME, `${read.mode} mode; every setting has a valid value`), ...forLive(read)]
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    return error.lines.map((line) => failure(NAME, line, 'Change it in .env; .env.example describes it.'))
  }
}

/** Variables that nothing reads and that are spelled almost like one that is read. */
export function checkNames(source: Record<string, string | undefined>, file = settingsFile()): DoctorCheck[] {
  const known = [...VARIABLE_SECTIONS, ...toolSettings.map(({ schema }) => schema)].flatMap(({ shape }) =>
    Object.keys(shape),
  )
  const inFile = existsSync(file) ? Object.keys(parseEnv(readFileSync(file, 'utf8'))) : []
  // Short names of the environment are those of many programs.
  const around = Object.keys(source).filter((name) => name.length > 7)
  return [...new Set([...inFile, ...around])].flatMap((name) => {
    const meant = nearName(name, known)
    return meant === null || source[meant] ? [] : [warning(NAME, `${name} is not read`, `Did you mean ${meant}?`)]
  })
}

/** What is valid and still a mistake where real callers are. */
function forLive({ sandbox, PUBLIC_URL, ENCRYPTION_KEY, METRICS_TOKEN, SIGNUP, SMTP_URL }: Env): DoctorCheck[] {
  if (sandbox) return []
  const { hostname } = new URL(PUBLIC_URL)
  return [
    ...(hostname === 'localhost' || hostname.startsWith('127.')
      ? [warning(NAME, `PUBLIC_URL is ${PUBLIC_URL}`, 'Set it to the address that clients use.')]
      : []),
    ...(ENCRYPTION_KEY
      ? []
      : [
          warning(
            NAME,
            'ENCRYPTION_KEY is not set',
            'Set 64 hexadecimal characters, or owners cannot connect databases or use authenticator apps.',
          ),
        ]),
    ...(SIGNUP === 'open' && !SMTP_URL
      ? [
          warning(
            NAME,
            'SIGNUP is open and SMTP_URL is not set',
            'Set SMTP_URL, or sign-up shows which addresses have accounts, and checks none.',
          ),
        ]
      : []),
    ...(METRICS_TOKEN ? [] : [warning(NAME, 'METRICS_TOKEN is not set', 'Set one to have /metrics and alerts.')]),
  ]
}

/** The settings, where they are valid and a database is open; null otherwise. */
export function validSettings(databaseUrl: string | null): Env | null {
  if (databaseUrl === null) return null
  process.env.DATABASE_URL = databaseUrl
  try {
    return env()
  } catch {
    return null
  }
}
