import { z } from 'zod'
import { BudgetScope } from './budgets/shape'

/** A limit as a refusal shows it. Credits. */
export const LimitState = z
  .object({
    id: z.string().describe('`balance`, `day`, `key:<id>`, `key:<id>:<window>`, or the id of a budget or conversation'),
    name: z.string(),
    window: z.enum(['lifetime', 'day', 'week', 'month']),
    cap: z.int().describe('Of the balance: what the account has, held credits included'),
    spent: z.int().describe('In the present window; 0 of the balance'),
    held: z.int().describe('Credits that calls in progress have reserved'),
    resetsAt: z.iso.datetime().nullable().describe('When the window ends; null: never'),
  })
  .describe('With insufficient_credits: the limit that refused, as it was then')
export type LimitState = z.infer<typeof LimitState>

/** A limit that calls of a key meet, and which of them. */
export const KeyLimit = LimitState.extend({
  scope: BudgetScope.pick({ products: true, tools: true, models: true })
    .optional()
    .describe('Of a budget: which calls of the key count; empty: every one'),
}).describe('A limit that calls of a key meet')
export type KeyLimit = z.infer<typeof KeyLimit>

const Shown = LimitState.extend({ resetsAt: z.string().nullable() })

/** The row of spend_limit of a limit in a row of the ledger; null: it has none. */
export const limitRow = (shown: unknown): string | null =>
  z.object({ row: z.string() }).safeParse(shown).data?.row ?? null

/** The limit in a row of the ledger; null: it has none. */
export function parseLimit(shown: unknown): LimitState | null {
  if (shown === null || shown === undefined) return null
  const { resetsAt, ...limit } = Shown.parse(shown)
  return { ...limit, resetsAt: resetsAt === null ? null : new Date(resetsAt).toISOString() }
}
