import { formatCredits } from '../ui/amount'

/** What a summary is made from: a key, or the form that makes one. */
export type KeyFormGrants = {
  tools: 'all' | readonly string[]
  llm: boolean
  allowedModels: readonly string[]
  agent: boolean
  agentRunBudgetCredits: number
  capabilities: readonly string[] | null
  budget: number | null
  rpm: number
  expiresAt: string | null
}

export type ToolGroupNames = readonly { label: string; tools: readonly { id: string }[] }[]

const count = (n: number, one: string, many = `${one}s`) => `${formatCredits(n)} ${n === 1 ? one : many}`

const join = (words: readonly string[]) =>
  words.length < 3 ? words.join(' and ') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

function sayTools({ tools }: KeyFormGrants, groups: ToolGroupNames): string {
  if (tools === 'all') return 'every tool, also those added later'
  if (tools.length === 0) return 'no tools'
  const from = groups.filter((g) => g.tools.some((t) => tools.includes(t.id))).map((g) => g.label)
  return `${formatCredits(tools.length)} ${from.length <= 3 ? `${join(from)} ` : ''}${tools.length === 1 ? 'tool' : 'tools'}`
}

function sayModels({ llm, allowedModels }: KeyFormGrants): string {
  if (!llm) return 'no models'
  return allowedModels.length === 0 ? 'any model' : count(allowedModels.length, 'model')
}

function sayAgents({ agent, agentRunBudgetCredits, capabilities }: KeyFormGrants): string {
  if (!agent) return 'no agents'
  const confined = capabilities ? ` confined to ${count(capabilities.length, 'capability group')}` : ''
  return `agent runs of at most ${formatCredits(agentRunBudgetCredits)} credits each${confined}`
}

/** True when a key can do nothing at all. */
export const grantsNothing = ({ tools, llm, agent }: KeyFormGrants): boolean =>
  tools !== 'all' && tools.length === 0 && !llm && !agent

/** What a key may do, in one plain sentence or two. */
export function summarizeGrants(grants: KeyFormGrants, groups: ToolGroupNames): string {
  const may = `May call ${sayTools(grants, groups)}; ${sayModels(grants)}; ${sayAgents(grants)}.`
  const most =
    grants.budget === null ? 'as much as the balance allows' : `at most ${count(grants.budget, 'credit')} in all`
  const until = grants.expiresAt ? `, until ${grants.expiresAt.slice(0, 10)}` : ''
  return `${may} Spends ${most}, with ${count(grants.rpm, 'request')} a minute${until}.`
}
