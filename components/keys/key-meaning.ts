import type { Recipe } from '../connect/recipe'
import { type ConnectKey, type ConnectModel, usableModels } from '../connect/usable-models'
import { formatCredits, formatUsd } from '../ui/amount'
import { dayIn } from '../ui/end-of-day'
import type { MeaningRow } from '../ui/form-with-aside'
import { count, type KeyFormGrants } from './summary'

/** A program of the Connect page, and what each of its recipes needs. */
export type NamedClient = { label: string; needs: readonly Recipe['needs'][] }

type Named = { id: string; name: string }
type MeaningPlace = {
  options: {
    groups: readonly { label: string; tools: readonly { id: string }[] }[]
    models: readonly (Named & ConnectModel)[]
    capabilities: readonly unknown[]
  }
  creditsPerUsd: number
  timeZone: string
  /** Omitted: nothing is said of them. */
  clients?: readonly NamedClient[]
}

/** How many names are said before the others are counted. */
const SAID = 3

const some = (names: readonly string[]): string =>
  names.length <= SAID ? names.join(', ') : `${names.slice(0, SAID).join(', ')} and ${names.length - SAID} more`

function toolsText({ tools }: KeyFormGrants, { groups }: MeaningPlace['options']): string {
  const all = groups.reduce((sum, group) => sum + group.tools.length, 0)
  if (tools === 'all') return `All ${all}, and those that are added later`
  if (tools.length === 0) return 'None'
  const from = groups.filter((group) => group.tools.some(({ id }) => tools.includes(id)))
  return `${tools.length} of ${all}: ${some(from.map(({ label }) => label))}`
}

function modelsText({ llm, allowedModels }: KeyFormGrants, { models }: MeaningPlace['options']): string {
  if (!llm) return 'None'
  if (allowedModels.length === 0) return `All ${models.length}, and those that are added later`
  const nameOf = new Map(models.map(({ id, name }) => [id, name]))
  return `${allowedModels.length} of ${models.length}: ${some(allowedModels.map((id) => nameOf.get(id) ?? id))}`
}

function runsText(grants: KeyFormGrants, { capabilities: all }: MeaningPlace['options']): string {
  if (!grants.agent) return 'None'
  const { capabilities } = grants
  const groups = capabilities && `, with ${capabilities.length} of ${count(all.length, 'capability group')}`
  return `At most ${count(grants.agentRunBudgetCredits, 'credit')} each${groups ?? ''}`
}

function spendText({ budget, recurringBudget }: KeyFormGrants, creditsPerUsd: number): string {
  const limit = (credits: number, period: string) =>
    `At most ${count(credits, 'credit')} ${period}, ≈ ${formatUsd(credits, creditsPerUsd)}`
  const limits = [
    ...(recurringBudget ? [limit(recurringBudget.credits, `a ${recurringBudget.every}`)] : []),
    ...(budget === null ? [] : [limit(budget, 'in total')]),
  ]
  return limits.length > 0 ? limits.join('\n') : 'As much as the balance allows'
}

function recipesText(key: Pick<ConnectKey, 'tools' | 'llm' | 'allowedModels'>, place: MeaningPlace): MeaningRow[] {
  if (!place.clients) return []
  const usable = place.clients.filter(({ needs }) =>
    needs.some((need) => usableModels({ needs: need }, place.options.models, key).kind === 'usable'),
  )
  return [['Recipes', usable.length > 0 ? some(usable.map(({ label }) => label)) : 'Calls over REST alone']]
}

/** What a key with these grants may do, in rows. Days are those of the owner's zone. */
export function keyMeaning(grants: KeyFormGrants, place: MeaningPlace): MeaningRow[] {
  const { options, creditsPerUsd, timeZone } = place
  const { tools, expiresAt, rpm } = grants
  const hasTools = tools === 'all' || tools.length > 0
  const recipeKey = { ...grants, tools: tools === 'all' ? ('all' as const) : [...tools] }
  return [
    ['Tools', toolsText(grants, options)],
    ['Models', modelsText(grants, options)],
    ['Agent runs', runsText(grants, options)],
    ['MCP', hasTools ? 'MCP clients see the same tools' : 'MCP clients see no tools'],
    ['Spends', spendText(grants, creditsPerUsd)],
    ['Requests', `${formatCredits(rpm)} a minute`],
    ['Works until', expiresAt ? `The end of ${dayIn(expiresAt, timeZone)}` : 'It is revoked'],
    ...recipesText({ ...recipeKey, allowedModels: [...grants.allowedModels] }, place),
  ]
}
