import { formatCredits } from '../ui/amount'

/** What a key may do, from the form that creates it. */
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

function describeTools({ tools }: KeyFormGrants, groups: ToolGroupNames): string {
  if (tools === 'all') return 'every tool, including tools added later'
  if (tools.length === 0) return 'no tools'
  const from = groups.filter((g) => g.tools.some((t) => tools.includes(t.id))).map((g) => g.label)
  return `${formatCredits(tools.length)} ${from.length <= 3 ? `${join(from)} ` : ''}${tools.length === 1 ? 'tool' : 'tools'}`
}

function describeModels({ llm, allowedModels }: KeyFormGrants): string {
  if (!llm) return 'no models'
  return allowedModels.length === 0 ? 'any model' : count(allowedModels.length, 'model')
}

function describeAgents({ agent, agentRunBudgetCredits, capabilities }: KeyFormGrants): string {
  if (!agent) return 'no agents'
  const restricted = capabilities ? ` restricted to ${count(capabilities.length, 'capability group')}` : ''
  return `agent runs of at most ${formatCredits(agentRunBudgetCredits)} credits each${restricted}`
}

/** True when a key could do nothing. */
export const grantsNothing = ({ tools, llm, agent }: KeyFormGrants): boolean =>
  tools !== 'all' && tools.length === 0 && !llm && !agent

/** What a key may do, in one or two sentences. */
export function summarizeGrants(grants: KeyFormGrants, groups: ToolGroupNames): string {
  const may = `May call ${describeTools(grants, groups)}; ${describeModels(grants)}; ${describeAgents(grants)}.`
  const spendLimit =
    grants.budget === null ? 'as much as the balance allows' : `at most ${count(grants.budget, 'credit')} in total`
  const until = grants.expiresAt ? `, until ${grants.expiresAt.slice(0, 10)}` : ''
  return `${may} May spend ${spendLimit}, with ${count(grants.rpm, 'request')} per minute${until}.`
}
