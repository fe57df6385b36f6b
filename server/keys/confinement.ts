import { AppError } from '../errors'
import { keyNotFound } from './create'
import type { KeyTemplate, KeyView, ManagementGrant, NewKey } from './shape'
import { isWithin } from './within'

/** The settings that a template bounds. */
type Bounded = Partial<Pick<NewKey, keyof KeyTemplate>>

/** Null for a list in which everything is meant. */
const named = (names: readonly string[] | undefined) => (names === undefined || names.length === 0 ? null : names)
const toolNames = (tools: NewKey['tools']) => (tools === 'all' ? null : (tools ?? []))

/** The settings that are wider than a template. */
function widerFields(of: Bounded, max: KeyTemplate): (keyof KeyTemplate)[] {
  const {
    tools,
    llm,
    allowedModels,
    agent,
    agentRunBudgetCredits = 0,
    capabilities,
    budget,
    recurringBudget,
    rpm = 0,
  } = of
  const fits: Record<keyof KeyTemplate, boolean> = {
    tools: max.tools === undefined || isWithin(toolNames(tools), toolNames(max.tools)),
    llm: max.llm !== false || !llm,
    allowedModels: llm === false || isWithin(named(allowedModels), named(max.allowedModels)),
    agent: max.agent !== false || !agent,
    agentRunBudgetCredits:
      agent === false || agentRunBudgetCredits <= (max.agentRunBudgetCredits ?? Number.POSITIVE_INFINITY),
    capabilities: agent === false || isWithin(capabilities ?? null, max.capabilities ?? null),
    budget: max.budget === undefined || (budget ?? Number.POSITIVE_INFINITY) <= max.budget,
    recurringBudget:
      max.recurringBudget === undefined ||
      (recurringBudget?.every === max.recurringBudget.every && recurringBudget.credits <= max.recurringBudget.credits),
    rpm: rpm <= (max.rpm ?? Number.POSITIVE_INFINITY),
  }
  return Object.keys(fits).filter((field) => !fits[field as keyof KeyTemplate]) as (keyof KeyTemplate)[]
}

/** Throws `forbidden` where settings are wider than the template of a management key. */
export function requireWithinTemplate({ template }: ManagementGrant, settings: Bounded): void {
  if (!template) return
  const wider = widerFields(settings, template)
  if (wider.length === 0) return
  const limits = wider.map((field) => `${field} ${JSON.stringify(template[field])}`).join(', ')
  throw new AppError('forbidden', `This management key may make keys with at most: ${limits}.`)
}

/** Throws `forbidden` where a change is wider than the template in what it names. */
export function requireChangeWithinTemplate(grant: ManagementGrant, changes: Bounded): void {
  const template = Object.fromEntries(Object.entries(grant.template ?? {}).filter(([field]) => field in changes))
  requireWithinTemplate({ ...grant, template }, changes)
}

/** The tags of a key that a management key makes or changes: its own tag is among them. */
export const tagsWithin = ({ tag }: ManagementGrant, tags: readonly string[]): string[] => [
  ...new Set(tag === null ? tags : [...tags, tag]),
]

/** Throws `not_found` for a key that a management key does not see. */
export function requireVisible({ tag }: ManagementGrant, { management, tags }: KeyView): void {
  if (management !== null || (tag !== null && !tags.includes(tag))) throw keyNotFound()
}
