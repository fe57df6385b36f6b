import type { KeyChanges, KeyView, NewKey } from '../../keys/shape'
import { stableJson } from '../../kit/stable-json'

const sorted = (names: readonly string[]): string[] => [...new Set(names)].sort()

type Settings = Pick<
  KeyView,
  'name' | 'tools' | 'llm' | 'strict' | 'responseDays' | 'agent' | 'agentRunBudgetCredits' | 'capabilities'
> &
  Pick<KeyView, 'allowedModels' | 'budget' | 'tags' | 'namesCustomers' | 'rpm' | 'expiresAt'> & {
    recurringBudget: Required<NewKey>['recurringBudget']
  }

/** What was chosen of a key, in one order. */
const settingsOf = ({ tools, allowedModels, capabilities, tags, recurringBudget, expiresAt, ...key }: Settings) => ({
  name: key.name,
  tools: tools === 'all' ? ('all' as const) : sorted(tools),
  llm: key.llm,
  allowedModels: sorted(allowedModels),
  strict: key.strict,
  responseDays: key.responseDays,
  agent: key.agent,
  agentRunBudgetCredits: key.agentRunBudgetCredits,
  capabilities: capabilities && sorted(capabilities),
  budget: key.budget,
  recurringBudget: recurringBudget && { credits: recurringBudget.credits, every: recurringBudget.every },
  tags: sorted(tags),
  namesCustomers: key.namesCustomers,
  rpm: key.rpm,
  expiresAt: expiresAt && new Date(expiresAt).toISOString(),
})

/** A version of a key: what was chosen of it, its secrets and whether it is revoked. */
export const chosenOf = (key: KeyView): object => ({
  ...settingsOf(key),
  externalId: key.externalId,
  customer: key.customer,
  last4: key.last4,
  revokedAt: key.revokedAt,
})

/** What of a key has to change for it to have these settings. */
export function changesTo(key: KeyView, settings: Settings): KeyChanges {
  const [is, shall] = [settingsOf(key), settingsOf(settings)]
  const differs = ([field, value]: [string, unknown]) => stableJson(value) !== stableJson(is[field as keyof typeof is])
  return Object.fromEntries(Object.entries(shall).filter(differs))
}
