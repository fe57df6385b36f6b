import { formatCredits } from '../ui/amount'
import type { GrantableTool, GrantedScopes, KeyOptions } from './options'

/** A first call: what to send where, and what it costs. */
export type FirstCall = { path: string; body: Record<string, unknown> | null; cost: string }

/** A sample call of the tools that have an obvious one. */
const SAMPLES: Record<string, Record<string, unknown>> = {
  web_search: { query: 'toll roads in the alps' },
  web_read_url: { url: 'https://example.com' },
  crypto_get_prices: { coinIds: ['bitcoin'], currencies: ['usd'] },
}

const QUESTION = 'In one sentence: what is a toll road?'

/** What an agent can do with one group of tools alone. */
const GOALS: Record<string, string> = {
  web: 'Compare the tolls of three alpine passes in a short table, with sources.',
  crypto: 'Report the prices of the three largest coins.',
  data: 'Make a dataset of the planets with their diameters in km, and say which is the largest.',
  site: 'Publish a page that explains in three sentences how toll roads earn money.',
  media: 'Draw a toll gate in the alps at dawn.',
}

/** A search of the web, for a key that may call every tool. */
export const SEARCH_CALL: FirstCall = {
  path: '/query',
  body: { tool: 'web_search', params: SAMPLES.web_search },
  cost: '',
}

function toolCall({ id, credits, example }: Pick<GrantableTool, 'id' | 'credits' | 'example'>): FirstCall {
  const cost =
    credits === null ? 'A metered call: its page says the price.' : `Costs ${formatCredits(credits)} credits.`
  return {
    path: '/query',
    body: { tool: id, params: SAMPLES[id] ?? example },
    cost: credits === 1 ? 'Costs 1 credit.' : cost,
  }
}

/** The tool to begin with: one with a sample, else the cheapest with a fixed price. */
function firstTool({ tools }: GrantedScopes, { groups }: Pick<KeyOptions, 'groups'>): GrantableTool | undefined {
  const allowed = groups.flatMap((group) => group.tools).filter(({ id }) => tools === 'all' || tools.includes(id))
  const fixed = allowed.filter(({ credits }) => credits !== null)
  return (
    Object.keys(SAMPLES).flatMap((id) => fixed.find((tool) => tool.id === id) ?? [])[0] ??
    fixed.toSorted((a, b) => (a.credits ?? 0) - (b.credits ?? 0))[0]
  )
}

function modelCall(key: GrantedScopes, { models }: Pick<KeyOptions, 'models'>): FirstCall | null {
  const may = models.filter(({ id }) => key.llm && (key.allowedModels.length === 0 || key.allowedModels.includes(id)))
  const cost = 'Costs what its tokens cost.'
  const chat = may.find(({ kind }) => kind === 'chat')
  if (chat) {
    const body = { model: chat.id, messages: [{ role: 'user', content: QUESTION }] }
    return { path: '/chat/completions', body, cost }
  }
  const embedding = may.find(({ kind }) => kind === 'embedding')
  return embedding ? { path: '/embeddings', body: { model: embedding.id, input: [QUESTION] }, cost } : null
}

function agentCall({ capabilities, agentRunBudgetCredits }: GrantedScopes): FirstCall {
  const group = capabilities === null ? 'web' : capabilities.find((id) => id in GOALS)
  const goal = (group && GOALS[group]) ?? QUESTION
  return {
    path: '/agent',
    body: { goal, idempotencyKey: 'first-run', wait: true },
    cost: `Costs at most ${formatCredits(agentRunBudgetCredits)} credits, the spend limit per job.`,
  }
}

/**
 * A useful first call that a key may make: a tool with a fixed price, a model, an agent run, a
 * metered tool. A key that may do none of these can only ask for its own status.
 */
export function firstCallFor(key: GrantedScopes, options: Pick<KeyOptions, 'groups' | 'models'>): FirstCall {
  const tool = firstTool(key, options)
  if (tool) return toolCall(tool)
  const call = modelCall(key, options) ?? (key.agent ? agentCall(key) : null)
  if (call) return call
  const metered = options.groups
    .flatMap(({ tools }) => tools)
    .find(({ id }) => key.tools === 'all' || key.tools.includes(id))
  return metered ? toolCall(metered) : { path: '/key', body: null, cost: 'Costs nothing.' }
}
