import type { ChatSettings } from './turn'

export const MAX_MODELS = 3

/** Credits that calls of tools may cost unasked, to begin with. */
const TOOL_LIMIT = '50'

export const firstSettings = (model: string): ChatSettings => ({
  models: [model],
  system: '',
  temperature: '',
  maxOutput: '',
  tools: [],
  toolLimit: TOOL_LIMIT,
})

const isText = (value: unknown): value is string => typeof value === 'string'
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : [])

/**
 * Settings as they were kept, with what is missing or not known any more as at first. `first`: the
 * model to begin with.
 */
export function parseKeptSettings(text: string | null, first: string, known: readonly string[]): ChatSettings {
  const plain = firstSettings(first)
  let kept: Partial<Record<keyof ChatSettings, unknown>>
  try {
    kept = Object(JSON.parse(text ?? '{}'))
  } catch {
    return plain
  }
  const models = textsOf(kept.models).filter((id) => known.includes(id))
  const textOr = (value: unknown, otherwise: string) => (isText(value) ? value : otherwise)
  return {
    models: models.length > 0 ? models.slice(0, MAX_MODELS) : plain.models,
    system: textOr(kept.system, ''),
    temperature: textOr(kept.temperature, ''),
    maxOutput: textOr(kept.maxOutput, ''),
    tools: textsOf(kept.tools),
    toolLimit: textOr(kept.toolLimit, TOOL_LIMIT),
  }
}

const nameOf = (account: string) => `playground ${account}`

export function readKeptSettings(account: string): string | null {
  try {
    return localStorage.getItem(nameOf(account))
  } catch {
    return null
  }
}

/** Keeps the settings for the next visit, as far as the browser keeps anything. */
export function keepSettings(account: string, settings: ChatSettings): void {
  try {
    localStorage.setItem(nameOf(account), JSON.stringify(settings))
  } catch {
    // A private window keeps nothing.
  }
}
