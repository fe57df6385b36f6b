import type { KeyFormValues } from './form-values'

/** What a key is for: what it may call and spend then, to begin with. */
export type KeyPreset = {
  id: 'app' | 'coding-agent' | 'agent' | 'everything'
  label: string
  about: string
  /** The client of the Connect page whose recipe comes first. */
  client: string
  values: Partial<KeyFormValues>
}

const monthly = (credits: number): Partial<KeyFormValues> => ({
  ...{ limited: false, recurring: true, recurringCredits: String(credits), every: 'month' },
})

const ALL_TOOLS_AND_MODELS: Partial<KeyFormValues> = { toolMode: 'all', llm: true, modelMode: 'any' }

export const KEY_PRESETS: readonly KeyPreset[] = [
  {
    id: 'app',
    label: 'An app',
    about: 'Calls tools and models.',
    client: 'openai-typescript',
    values: { ...ALL_TOOLS_AND_MODELS, agent: false, rpm: '600', ...monthly(10_000) },
  },
  {
    id: 'coding-agent',
    label: 'A coding agent',
    about: 'Uses models, and tools over MCP: Claude Code, Codex and others.',
    client: 'claude-code',
    values: { ...ALL_TOOLS_AND_MODELS, agent: false, rpm: '120', ...monthly(25_000) },
  },
  {
    id: 'agent',
    label: 'An agent of mine',
    about: 'Starts agent runs, at most 2 000 credits each.',
    client: 'curl',
    values: {
      ...{ toolMode: 'none', llm: false, agent: true, agentRunBudgetCredits: '2000', confined: false, rpm: '60' },
      ...monthly(10_000),
    },
  },
  {
    id: 'everything',
    label: 'Everything',
    about: 'Tools, models and agent runs.',
    client: 'curl',
    values: {
      ...ALL_TOOLS_AND_MODELS,
      ...{ agent: true, agentRunBudgetCredits: '2000', confined: false, rpm: '60' },
      ...monthly(10_000),
    },
  },
]

/** The preset that an address names; undefined: none. */
export const presetNamed = (id: unknown): KeyPreset | undefined => KEY_PRESETS.find((preset) => preset.id === id)

/** The preset whose values a form has; undefined: it was made by hand. */
export const keyPresetOf = (values: KeyFormValues): KeyPreset | undefined =>
  KEY_PRESETS.find(({ values: of }) =>
    Object.entries(of).every(([name, value]) => values[name as keyof KeyFormValues] === value),
  )
