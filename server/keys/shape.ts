import { z } from 'zod'
import { CustomerName } from '../accounts/customers/shape'

/** The names that a new key may be granted, which modules to the right provide. */
export type KnownNames = { tools: readonly string[]; models: readonly string[]; capabilities: readonly string[] }

const names = z.array(z.string().min(1).max(200)).max(500)

/**
 * A name that can be seen on one line: control characters and halves of a pair are not, and NUL
 * fits no database.
 */
const Name = z
  .string()
  .trim()
  .min(1, { error: 'Give the key a name', abort: true })
  .max(80)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: 'Leave out control characters', abort: true })
  .regex(/[^\p{Z}\p{C}]/u, 'Give the key a name that can be seen')

/** A budget that begins anew every day, week (from Monday) or month in its owner's time zone. */
export const RecurringBudget = z.strictObject({
  credits: z.int().min(1).max(1e15).describe('Credits a period'),
  every: z.enum(['day', 'week', 'month']),
})
export type RecurringBudget = z.infer<typeof RecurringBudget>

const Tag = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(/^[^\p{Cc}\p{Cs},]*$/u, 'Leave out commas and control characters')

/** What the programs of an owner call a thing. */
export const ExternalId = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Leave out control characters')
  .describe('Your id of it; unique among what exists')

/** Everything an owner decides when a key is made. */
export const NewKey = z.strictObject({
  name: Name,
  externalId: ExternalId.nullable().default(null),
  tools: z
    .union([z.literal('all'), names])
    .default('all')
    .describe('Tool ids the key may call, or "all"'),
  llm: z.boolean().default(false).describe('May use models: chat, embeddings and images'),
  allowedModels: names.default([]).describe('Model ids the key is restricted to; empty: any'),
  strict: z
    .boolean()
    .default(false)
    .describe('Requests that a model does not take as they are get 400 instead of being changed'),
  responseDays: z
    .int()
    .min(0)
    .max(3_650)
    .nullable()
    .default(null)
    .describe('Days for which responses are kept to be referred to; 0: none is kept, null: as the service keeps them'),
  agent: z.boolean().default(false).describe('May start agent runs'),
  agentRunBudgetCredits: z.int().min(100).max(1e12).default(5000).describe('Most credits an agent job may spend'),
  capabilities: names
    .nullable()
    .default(null)
    .describe('Capability groups agent runs are confined to; null: unconfined'),
  budget: z.int().min(1).max(1e15).nullable().default(null).describe('Lifetime budget in credits; null: none'),
  recurringBudget: RecurringBudget.nullable()
    .default(null)
    .describe('A second budget, which begins anew every period; null: none'),
  tags: z.array(Tag).max(20).default([]).describe('Words to find the key by'),
  customer: CustomerName.nullable()
    .default(null)
    .describe('The customer that all its calls are made for, whatever they name; null: none'),
  namesCustomers: z
    .boolean()
    .default(false)
    .describe('Its calls may name a customer; false: one that they name is ignored'),
  rpm: z.int().min(1).max(100_000).default(60).describe('Requests per minute'),
  expiresAt: z.iso
    .datetime({ offset: true })
    .nullable()
    .refine((at) => at === null || new Date(at) > new Date(), 'must be in the future')
    .default(null)
    .describe('When the key stops working; null: never'),
})
export type NewKey = z.input<typeof NewKey>

export const MANAGEMENT_SCOPES = ['keys', 'budgets', 'customers', 'usage', 'members'] as const
export const ManagementScope = z.enum(MANAGEMENT_SCOPES)
export type ManagementScope = z.infer<typeof ManagementScope>

/** The most that a key may have; what is left out is not bounded. */
export const KeyTemplate = z
  .strictObject({
    tools: NewKey.shape.tools.unwrap(),
    llm: NewKey.shape.llm.unwrap(),
    allowedModels: NewKey.shape.allowedModels.unwrap(),
    agent: NewKey.shape.agent.unwrap(),
    agentRunBudgetCredits: NewKey.shape.agentRunBudgetCredits.unwrap(),
    capabilities: NewKey.shape.capabilities.unwrap().unwrap(),
    budget: NewKey.shape.budget.unwrap().unwrap(),
    recurringBudget: RecurringBudget,
    rpm: NewKey.shape.rpm.unwrap(),
  })
  .partial()
export type KeyTemplate = z.infer<typeof KeyTemplate>

/** What a management key may manage, in place of calling anything. */
export const ManagementGrant = z.strictObject({
  scopes: z.array(ManagementScope).min(1).max(MANAGEMENT_SCOPES.length),
  tag: Tag.nullable().default(null).describe('It sees and makes only keys with this tag; null: every key'),
  template: KeyTemplate.nullable().default(null).describe('The most that a key it makes may have; null: anything'),
})
export type ManagementGrant = z.infer<typeof ManagementGrant>

/** What an owner decides when a management key is made. */
export const NewManagementKey = ManagementGrant.extend({
  name: Name,
  tags: NewKey.shape.tags,
  rpm: NewKey.shape.rpm,
  expiresAt: NewKey.shape.expiresAt,
})
export type NewManagementKey = z.input<typeof NewManagementKey>

export const KeyState = z.enum(['active', 'revoked', 'expired', 'spent'])
export type KeyState = z.infer<typeof KeyState>

/** A key as its owner sees it: never the secret. Credits are integers, times ISO 8601. */
export const KeyView = z.object({
  id: z.int(),
  name: z.string(),
  externalId: z.string().nullable().describe('What the programs of its owner call it'),
  last4: z.string().describe('Last four characters of the newest secret'),
  state: KeyState,
  tools: z.union([z.literal('all'), z.array(z.string())]),
  llm: z.boolean(),
  allowedModels: z.array(z.string()),
  strict: z.boolean(),
  responseDays: z.int().nullable().describe('Days for which its responses are kept; null: as the service keeps them'),
  agent: z.boolean(),
  agentRunBudgetCredits: z.int(),
  capabilities: z.array(z.string()).nullable(),
  budget: z.int().nullable(),
  spent: z.int(),
  held: z.int(),
  remaining: z.int().nullable().describe('What the lifetime budget still allows; null: no budget'),
  recurringBudget: RecurringBudget.extend({
    spent: z.int(),
    held: z.int(),
    remaining: z.int().describe('What this period still allows'),
    resetsAt: z.iso.datetime().describe('When the next period begins'),
  })
    .nullable()
    .describe('The budget of a day, week or month and its present period; null: none'),
  management: ManagementGrant.nullable().describe('What a management key may manage; null: an ordinary key'),
  tags: z.array(z.string()),
  customer: z.string().nullable().describe('The customer that all its calls are made for; null: none'),
  namesCustomers: z.boolean().describe('Its calls may name a customer'),
  rpm: z.int(),
  expiresAt: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
  madeBy: z.string().nullable().describe('The e-mail address of the member who made it; null: nobody of the dashboard'),
  createdAt: z.iso.datetime(),
  client: z
    .object({
      id: z.string(),
      name: z.string(),
      redirectUri: z.string(),
      tokenExpiresAt: z.iso
        .datetime()
        .nullable()
        .describe('When its access token expires, unless renewed; null: it is not renewed'),
    })
    .optional()
    .describe('The application that got this key through OAuth'),
  rotation: z
    .object({ last4: z.string(), until: z.iso.datetime() })
    .nullable()
    .describe('The old secret that still works, while it does'),
})
export type KeyView = z.infer<typeof KeyView>

export const KeyPage = z.object({
  limit: z.int().min(1).max(100).default(50).describe('Keys a page'),
  cursor: z.string().max(200).optional().describe('`nextCursor` of the page before'),
})
export type KeyPage = z.infer<typeof KeyPage>
export const KeyList = z.object({ rows: z.array(KeyView), nextCursor: z.string().nullable() })
export type KeyList = z.infer<typeof KeyList>

/** A new key or a new secret of one: the only time `key` is seen. */
export const KeyWithSecret = KeyView.extend({ key: z.string().describe('The bearer value, shown this once') })
export type KeyWithSecret = z.infer<typeof KeyWithSecret>

export const KeyId = z.object({ id: z.int32().positive().describe("The key's id") })

/**
 * What an owner may change of a key; what is left out stays. What it may call can be narrowed only.
 */
export const KeyChanges = z
  .strictObject({
    name: NewKey.shape.name,
    tools: NewKey.shape.tools.unwrap(),
    llm: NewKey.shape.llm.unwrap(),
    allowedModels: NewKey.shape.allowedModels.unwrap(),
    strict: NewKey.shape.strict.unwrap(),
    responseDays: NewKey.shape.responseDays.unwrap(),
    agent: NewKey.shape.agent.unwrap(),
    agentRunBudgetCredits: NewKey.shape.agentRunBudgetCredits.unwrap(),
    capabilities: NewKey.shape.capabilities.unwrap(),
    budget: NewKey.shape.budget.unwrap(),
    recurringBudget: NewKey.shape.recurringBudget.unwrap(),
    tags: NewKey.shape.tags.unwrap(),
    namesCustomers: NewKey.shape.namesCustomers.unwrap(),
    rpm: NewKey.shape.rpm.unwrap(),
    expiresAt: NewKey.shape.expiresAt.unwrap(),
  })
  .partial()
export type KeyChanges = z.infer<typeof KeyChanges>
export const ChangeKey = KeyId.extend({ changes: KeyChanges })
export const RotateKey = KeyId.extend({
  overlapMinutes: z.int().min(0).max(43_200).default(60).describe('How long the old secret keeps working, minutes'),
})

export const KEY_SORTS = ['created', 'name', 'used', 'spent', 'remaining'] as const
export type KeySort = (typeof KEY_SORTS)[number]
export type KeyOrder = 'asc' | 'desc'

/** Which keys: every condition that is given applies. */
export const KeyFilter = z.object({
  q: z.string().max(200).default('').describe('Words in its name or tags, or the last four characters of its secret'),
  state: KeyState.optional(),
  tag: z.string().max(40).optional(),
  may: z.enum(['llm', 'agent']).optional().describe('Only keys with this scope'),
})

export const KeySearch = KeyFilter.extend({
  sort: z.enum(KEY_SORTS).default('created'),
  order: z.enum(['asc', 'desc']).default('desc'),
  limit: KeyPage.shape.limit,
  // The value of the last row, such as a name.
  cursor: z.string().max(2_000).optional(),
})
export type KeySearch = z.infer<typeof KeySearch>

/** A page of keys, and the totals of all that match. */
export const FoundKeys = z.object({
  rows: z.array(KeyView),
  nextCursor: z.string().nullable(),
  totals: z.object({ count: z.int(), spent: z.int(), held: z.int() }),
})
export type FoundKeys = z.infer<typeof FoundKeys>

export const KeyName = z.object({ id: z.int(), name: z.string() })
export const KeyTag = z.object({ tag: z.string(), keys: z.int() })

/** A key that can spend hardly any more, by its lifetime or its recurring budget. */
const LowKey = z.object({
  id: z.int(),
  name: z.string(),
  budget: z.int(),
  remaining: z.int(),
  every: z.enum(['day', 'week', 'month']).nullable().describe('Of the recurring budget; null: the lifetime budget'),
})
export const LowKeys = z.object({ rows: z.array(LowKey), total: z.int() })
export type LowKeys = z.infer<typeof LowKeys>
