import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_ROOT } from '../kit/project'

/** Models that are named one by one; of more, the number. */
const MAX_NAMED = 20

/**
 * What a launcher read when it read the settings: what every process gets that it starts until it
 * reads them again, whatever the files say meanwhile.
 */
export type SettingsReading = {
  env: NodeJS.ProcessEnv
  /** The text of MODELS_FILE; null without one, and where it cannot be read. */
  models: string | null
  /** Differs where a value differs; says nothing about any of them. */
  version: string
  readAt: Date
}

/** Reads the models of an environment. `given`: those of its variables that cannot change. */
export function readSettingsOf(env: NodeJS.ProcessEnv, given: Partial<NodeJS.ProcessEnv> = {}): SettingsReading {
  const models = env.MODELS_FILE ? textOrNull(path.resolve(PROJECT_ROOT, env.MODELS_FILE)) : null
  const values = Object.entries(env).filter(([name, value]) => given[name] !== value)
  const hash = createHmac('sha256', env.AUTH_SECRET ?? '').update(JSON.stringify([values.sort(), models]))
  return { env, models, version: hash.digest('hex').slice(0, 8), readAt: new Date() }
}

function textOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** The names of what differs between two readings, never their values. */
export function changedSettings(before: SettingsReading, after: SettingsReading): string[] {
  const names = new Set([...Object.keys(before.env), ...Object.keys(after.env)])
  const changed = [...names].filter((name) => (before.env[name] ?? '') !== (after.env[name] ?? ''))
  return [...changed.sort(), ...changedModels(before.models, after.models)]
}

function changedModels(before: string | null, after: string | null): string[] {
  if (before === after) return []
  const [former, latter] = [entriesById(before), entriesById(after)]
  if (!former || !latter) return ['models']
  const both = [...latter.keys()].filter((id) => former.has(id))
  return [
    listed(
      'models added',
      [...latter.keys()].filter((id) => !former.has(id)),
    ),
    listed(
      'models removed',
      [...former.keys()].filter((id) => !latter.has(id)),
    ),
    listed(
      'models changed',
      both.filter((id) => former.get(id) !== latter.get(id)),
    ),
  ].flat()
}

const listed = (what: string, ids: readonly string[]): string[] => {
  if (ids.length === 0) return []
  return [`${what}: ${ids.length > MAX_NAMED ? ids.length : ids.join(' ')}`]
}

/** The entries of a models file as texts; null where it has none. */
function entriesById(text: string | null): Map<string, string> | null {
  try {
    const entries = JSON.parse(text ?? '[]') as { id?: unknown }[]
    return new Map(entries.map((entry) => [String(entry.id), JSON.stringify(entry)]))
  } catch {
    return null
  }
}
