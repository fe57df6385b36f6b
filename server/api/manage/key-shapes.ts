import { z } from 'zod'
import { ExternalId, KeyChanges, KeyPage, KeyView, NewKey, RecurringBudget } from '../../keys/shape'

const { name, llm, strict, responseDays, agent, agentRunBudgetCredits, capabilities, budget, tags, rpm, expiresAt } =
  NewKey.shape

const Tools = z
  .union([z.enum(['all', 'none']), z.array(z.string().min(1).max(200)).max(500)])
  .describe('Tool ids the key may call, "all" or "none"')

const Window = z
  .strictObject({
    credits: RecurringBudget.shape.credits,
    window: RecurringBudget.shape.every.describe("Begins in the account's time zone"),
  })
  .nullable()
  .describe('A second budget, which begins anew every window; null: none')

/** A key as management keys ask for it. */
export const ManagedKeySettings = z.strictObject({
  name,
  externalId: ExternalId.nullable().default(null),
  tags,
  customer: NewKey.shape.customer,
  namesCustomers: NewKey.shape.namesCustomers,
  tools: Tools,
  llm,
  models: NewKey.shape.allowedModels,
  strict,
  responseDays,
  agent,
  agentRunBudgetCredits,
  capabilities,
  budget,
  recurringBudget: Window.default(null),
  rpm,
  expiresAt,
})
export type ManagedKeySettings = z.infer<typeof ManagedKeySettings>

/** The same as it is declared: its path says its external id. */
export const DeclaredKey = ManagedKeySettings.omit({ externalId: true })

export const ManagedKeyChanges = z
  .strictObject({
    name,
    tags: KeyChanges.shape.tags.unwrap(),
    namesCustomers: NewKey.shape.namesCustomers.unwrap(),
    tools: Tools,
    llm: llm.unwrap(),
    models: NewKey.shape.allowedModels.unwrap(),
    strict: strict.unwrap(),
    responseDays: responseDays.unwrap(),
    agent: agent.unwrap(),
    agentRunBudgetCredits: agentRunBudgetCredits.unwrap(),
    capabilities: capabilities.unwrap(),
    budget: budget.unwrap(),
    recurringBudget: Window,
    rpm: rpm.unwrap(),
    expiresAt: expiresAt.unwrap(),
  })
  .partial()
export type ManagedKeyChanges = z.infer<typeof ManagedKeyChanges>

/** A key as management keys see it: never its secret. */
export const ManagedKey = KeyView.omit({ management: true, allowedModels: true, recurringBudget: true }).extend({
  models: z.array(z.string()).describe('Models it is restricted to; empty: any'),
  recurringBudget: z
    .object({
      credits: z.int(),
      window: RecurringBudget.shape.every,
      spent: z.int(),
      held: z.int(),
      remaining: z.int(),
      resetsAt: z.iso.datetime(),
    })
    .nullable(),
})
export type ManagedKey = z.infer<typeof ManagedKey>

/** A new key or a new secret of one. */
export const ManagedKeyWithSecret = ManagedKey.extend({
  key: z.string().describe('The bearer value. It is in this answer only'),
})

/** A key that was declared; `key` only where that made it. */
export const DeclaredKeyAnswer = ManagedKey.extend({ key: ManagedKeyWithSecret.shape.key.optional() })

export const ManagedKeyPage = KeyPage.extend({
  tag: z.string().max(40).optional().describe('Only keys with this tag'),
  customer: NewKey.shape.customer.unwrap().unwrap().optional().describe('Only keys of this customer'),
})
export const ManagedKeyList = z.object({ rows: z.array(ManagedKey), nextCursor: z.string().nullable() })

/** Settings as the keys module has them. */
export function toKeySettings<S extends ManagedKeyChanges>({ tools, models, recurringBudget, ...rest }: S) {
  return {
    ...rest,
    ...(tools !== undefined && { tools: tools === 'none' ? [] : tools }),
    ...(models !== undefined && { allowedModels: models }),
    ...(recurringBudget !== undefined && {
      recurringBudget: recurringBudget && { credits: recurringBudget.credits, every: recurringBudget.window },
    }),
  }
}

/** A key of the keys module as management keys see it. */
export function viewManagedKey({ management: _, allowedModels, recurringBudget, ...key }: KeyView): ManagedKey {
  if (!recurringBudget) return { ...key, models: allowedModels, recurringBudget }
  const { every: window, ...period } = recurringBudget
  return { ...key, models: allowedModels, recurringBudget: { window, ...period } }
}
