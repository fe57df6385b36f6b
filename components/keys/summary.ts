import { formatCredits } from '../ui/amount'

export type Period = 'day' | 'week' | 'month'

/** What a key may do, from the form that creates it. */
export type KeyFormGrants = {
  tools: 'all' | readonly string[]
  llm: boolean
  allowedModels: readonly string[]
  agent: boolean
  agentRunBudgetCredits: number
  capabilities: readonly string[] | null
  budget: number | null
  recurringBudget: { credits: number; every: Period } | null
  rpm: number
  expiresAt: string | null
}

export type ToolGroupNames = readonly { label: string; tools: readonly { id: string }[] }[]

/** A number with its noun. */
export const count = (n: number, one: string, many = `${one}s`) => `${formatCredits(n)} ${n === 1 ? one : many}`

const join = (words: readonly string[]) =>
  words.length < 3 ? words.join(' and ') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

export function describeTools({ tools }: Pick<KeyFormGrants, 'tools'>, groups: ToolGroupNames): string {
  if (tools === 'all') return 'every tool, including tools added later'
  if (tools.length === 0) return 'no tools'
  const from = groups.filter((g) => g.tools.some((t) => tools.includes(t.id))).map((g) => g.label)
  const named = from.length > 0 && from.length <= 3
  return `${formatCredits(tools.length)} ${named ? `${join(from)} ` : ''}${tools.length === 1 ? 'tool' : 'tools'}`
}

export function describeModels({ llm, allowedModels }: Pick<KeyFormGrants, 'llm' | 'allowedModels'>): string {
  if (!llm) return 'no models'
  return allowedModels.length === 0 ? 'any model' : count(allowedModels.length, 'model')
}

/** True when a key could do nothing. */
export const grantsNothing = ({ tools, llm, agent }: KeyFormGrants): boolean =>
  tools !== 'all' && tools.length === 0 && !llm && !agent
