import { z } from 'zod'
import { Product } from '../shape'

/** How often a budget begins anew, in the account's time zone; `lifetime`: never. */
export const BudgetWindow = z.enum(['lifetime', 'day', 'week', 'month'])
export type BudgetWindow = z.infer<typeof BudgetWindow>

/** More budgets than these do not fit one call. */
export const MAX_BUDGETS_OF_A_CALL = 16

const names = (what: string) => z.array(z.string().trim().min(1).max(200)).min(1).max(100).optional().describe(what)

/**
 * Which calls a budget counts: those that fit every field that is there. Tools and models are one
 * field: a call fits either.
 */
export const BudgetScope = z
  .strictObject({
    keys: z.array(z.int().positive()).min(1).max(1_000).optional().describe('Ids of keys'),
    members: z
      .array(z.int().positive())
      .min(1)
      .max(100)
      .optional()
      .describe('Ids of members: calls with keys that one of them made, and what they run at the dashboard'),
    tags: names('Tags: of keys with one of them'),
    customers: z
      .union([z.literal('each'), z.array(z.int().positive()).min(1).max(1_000)])
      .optional()
      .describe('Ids of customers, counted together; `each`: every customer is counted by itself'),
    products: z
      .array(Product)
      .min(1)
      .max(Product.options.length)
      .optional()
      .describe('tool, chat (every wire of models), agent (steps of runs)'),
    tools: names('Tool ids, or the beginning of one and `*`: `web_*`'),
    models: names('Model ids, or the beginning of one and `*`: `anthropic/*`'),
  })
  .describe('Which calls count: those that fit every field; of tools and models, either')
export type BudgetScope = z.infer<typeof BudgetScope>

const Rate = z.int().min(1).max(1_000_000_000).nullable()
const RATES = {
  requestsPerMinute: Rate.default(null).describe(
    'Calls that fit the scope a minute; beyond it they are 429. null: any',
  ),
  tokensPerMinute: Rate.default(null).describe(
    'Tokens of these calls a minute. A call begins while some are left, and counts when it ends. null: any',
  ),
}

/** What an account says of a budget. */
export const BudgetInput = z.strictObject({
  name: z.string().trim().min(1).max(100),
  externalId: z.string().min(1).max(128).nullish(),
  credits: z.int().nonnegative().describe('Credits that may be spent in a window'),
  window: BudgetWindow,
  scope: BudgetScope,
  ...RATES,
  alertAt: z.array(z.int().min(1).max(100)).max(5).default([]).describe('Percentages of it at which there is an alert'),
})
export type BudgetInput = z.input<typeof BudgetInput>

/** A change of one: what is left out stays. */
export const BudgetChanges = z.strictObject({
  name: BudgetInput.shape.name.optional(),
  credits: BudgetInput.shape.credits.optional(),
  window: BudgetWindow.optional(),
  scope: BudgetScope.optional(),
  requestsPerMinute: Rate.optional(),
  tokensPerMinute: Rate.optional(),
  alertAt: z.array(z.int().min(1).max(100)).max(5).optional(),
})
export type BudgetChanges = z.infer<typeof BudgetChanges>

/** What counts in the present window. Where each customer is counted, these are sums over all. */
const BudgetUse = {
  spent: z.int(),
  held: z.int().describe('Credits that calls in progress hold'),
  resetsAt: z.iso.datetime().nullable().describe('When the window ends; null: never'),
}

export const Budget = z.object({
  id: z.string(),
  name: z.string(),
  externalId: z.string().nullable(),
  credits: z.int(),
  window: BudgetWindow,
  scope: BudgetScope,
  requestsPerMinute: z.int().nullable(),
  tokensPerMinute: z.int().nullable(),
  alertAt: z.array(z.int()),
  ...BudgetUse,
  createdAt: z.iso.datetime(),
})
export type Budget = z.infer<typeof Budget>

/** What one customer has used of a budget that counts each. */
export const BudgetOfCustomer = z.object({ customerId: z.int(), ...BudgetUse })
export type BudgetOfCustomer = z.infer<typeof BudgetOfCustomer>
