import { z } from 'zod'

/** How a call came in. */
export const CallChannel = z.enum([
  'rest',
  'mcp',
  'chat',
  'responses',
  'messages',
  'embeddings',
  'images',
  'agent',
  'playground',
])
export type CallChannel = z.infer<typeof CallChannel>

/** What kind of thing was called. */
export const Product = z.enum(['tool', 'chat', 'agent'])
export type Product = z.infer<typeof Product>

export const ReceiptStatus = z.enum(['ok', 'failed', 'void', 'expired'])
export type ReceiptStatus = z.infer<typeof ReceiptStatus>

/** How long a balance lasts. */
export const Pace = z.object({
  daysLeft: z.number().nullable().describe('Days that the balance lasts; null: it cannot be said'),
  of: z
    .enum(['days', 'hours', 'new', 'unused'])
    .describe('What that is from: the last days, the last hours; `new`: calls were made only lately; `unused`: none'),
})
export type Pace = z.infer<typeof Pace>

/** Which limit refused a call. */
export const LimitSource = z.enum(['balance', 'key_budget', 'key_period', 'account_day', 'conversation', 'budget'])
export type LimitSource = z.infer<typeof LimitSource>

/** Which limit leaves the least of what a call may spend. */
export const CallLimit = LimitSource.exclude(['conversation', 'budget'])

/**
 * A field of a receipt, defined here alone: API, OpenAPI document, lists, CSV and export follow.
 * `csv`: its column there, null for none; names never change, and a new one goes last in its table.
 */
type ReceiptField = { shape: z.ZodType; csv: string | null; sql?: string; type?: string; column?: string }

/** A field that is a column of `receipt`, and of its rows in an account's export. */
const column = <const T extends string, S extends z.ZodType>(
  [name, type]: [name: string, type: T],
  field: { shape: S; csv: string | null },
) => ({ column: name, sql: `r.${name}`, type, ...field })

/** What was called, when, and with which key. */
export const RECEIPT_CALL = {
  requestId: column(['id', 'uuid'], { shape: z.string().describe('The x-request-id of the call'), csv: 'request_id' }),
  startedAt: column(['started_at', 'timestamptz'], { shape: z.iso.datetime(), csv: 'started_at' }),
  at: column(['at', 'timestamptz'], { shape: z.iso.datetime().describe('When it ended'), csv: 'ended_at' }),
  keyId: column(['key_id', 'int?'], { shape: z.int().nullable(), csv: 'key_id' }),
  keyName: {
    sql: '(SELECT k.name FROM "key" k WHERE k.id = r.key_id AND k.owner_id = r.owner_id)',
    type: 'text?',
    shape: z.string().nullable(),
    csv: 'key_name',
  },
  channel: column(['channel', 'text'], { shape: CallChannel.describe('How the call came in'), csv: 'channel' }),
  product: column(['product', 'text'], { shape: Product, csv: 'product' }),
  what: column(['what', 'text'], { shape: z.string().describe('Tool or model id'), csv: 'what' }),
  status: column(['status', 'text'], {
    shape: ReceiptStatus.describe('ok, failed, void (the provider was not called) or expired (the process died)'),
    csv: 'status',
  }),
  jobId: column(['limit_id', 'uuid?'], {
    shape: z.string().nullable().describe('The agent job that the call was a step of'),
    csv: null,
  }),
  customer: {
    sql: `(SELECT coalesce(c.name, 'deleted:' || c.hash) FROM customer c WHERE c.id = r.customer_id AND c.owner_id = r.owner_id)`,
    type: 'text?',
    shape: z
      .string()
      .nullable()
      .describe(
        'The customer that the call was made for; `deleted:` and a hash where its name was deleted; null: none',
      ),
    csv: 'customer',
  },
} as const satisfies Record<string, ReceiptField>

/** What was taken, in credits. */
export const RECEIPT_CREDITS = {
  held: column(['held', 'bigint'], { shape: z.int(), csv: 'credits_held' }),
  charged: column(['charged', 'bigint'], { shape: z.int(), csv: 'credits_charged' }),
  released: { shape: z.int(), csv: 'credits_released' },
} as const satisfies Record<string, ReceiptField>

/** What a charge was made from. All fields are optional: which are there depends on the product. */
export const RECEIPT_DETAIL = {
  durationMs: { shape: z.int().optional().describe('Time the call took, milliseconds'), csv: 'duration_ms' },
  inputTokens: { shape: z.int().optional().describe('All input tokens, also those of the cache'), csv: 'input_tokens' },
  outputTokens: { shape: z.int().optional(), csv: 'output_tokens' },
  costUsd: { shape: z.number().optional().describe("The provider's real cost, USD (metered tools)"), csv: 'cost_usd' },
  estimated: {
    shape: z.boolean().optional().describe('True when usage was counted here because the upstream sent none'),
    csv: 'estimated',
  },
  error: { shape: z.string().optional().describe('Why a failed call failed'), csv: 'error' },
  cachedInputTokens: {
    shape: z.int().optional().describe('Input tokens that the provider read from its cache'),
    csv: 'cached_input_tokens',
  },
  cacheWriteTokens: {
    shape: z.int().optional().describe('Input tokens that the provider wrote to its cache'),
    csv: 'cache_write_tokens',
  },
  creditsPerUsd: { shape: z.number().optional(), csv: null },
  markup: { shape: z.number().optional(), csv: null },
  creditsPer1mInput: { shape: z.int().optional(), csv: null },
  creditsPer1mCachedInput: { shape: z.int().optional(), csv: null },
  creditsPer1mCacheWrite: { shape: z.int().optional(), csv: null },
  creditsPer1mOutput: { shape: z.int().optional(), csv: null },
  loss: {
    shape: z.int().optional().describe('Credits the call cost beyond its charge, borne by the operator'),
    csv: null,
  },
  refunded: {
    shape: z.int().optional().describe('Credits given back after the charge: `charged` is what remains'),
    csv: null,
  },
  firstTokenMs: {
    shape: z.int().optional().describe('Time until the first output of a streamed answer, milliseconds'),
    csv: 'first_token_ms',
  },
} as const satisfies Record<string, ReceiptField>

const shapesOf = <const T extends Record<string, ReceiptField>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).map(([name, { shape }]) => [name, shape])) as {
    [Name in keyof T]: T[Name]['shape']
  }

export const ReceiptDetail = z.object(shapesOf(RECEIPT_DETAIL))
export type ReceiptDetail = z.infer<typeof ReceiptDetail>

export const CallReceipt = z.object({
  ...shapesOf(RECEIPT_CALL),
  credits: z.object(shapesOf(RECEIPT_CREDITS)),
  detail: ReceiptDetail,
})
export type CallReceipt = z.infer<typeof CallReceipt>

/** A day of a year the database's clock can show. */
const day = () => z.iso.date().refine((at) => at >= '1000', 'must be a year of four digits from 1000 on')

/** Filters of a list of receipts. `from` and `to` are days (UTC), both inclusive. */
export const UsageFilter = z.object({
  keyId: z.int32().optional().describe('Only calls of this key'),
  what: z
    .string()
    .max(200)
    .regex(/^[^\0]*$/, 'must not contain NUL')
    .optional()
    .describe('Only calls of this tool or model'),
  status: ReceiptStatus.optional().describe('Only calls with this outcome'),
  product: Product.optional().describe('Only calls of this kind'),
  jobId: z.uuid().optional().describe('Only steps of this agent job'),
  customer: z
    .string()
    .min(1)
    .max(128)
    .regex(/^[^\0]*$/, 'must not contain NUL')
    .optional()
    .describe('Only calls made for this customer'),
  from: day().optional().describe('First day, YYYY-MM-DD, UTC'),
  to: day().optional().describe('Last day, YYYY-MM-DD, UTC'),
})
export type UsageFilter = z.infer<typeof UsageFilter>

/** How a call ended, as its owner filters by it. `failed`: charged or not. */
export const OutcomeFilter = z.enum(['ok', 'failed', 'failed_charged', 'failed_free'])
export type OutcomeFilter = z.infer<typeof OutcomeFilter>

/** Days of the owner's time zone, up to today. */
export const UsageRange = z.enum(['today', '7d', '30d', 'month'])
export type UsageRange = z.infer<typeof UsageRange>

/**
 * Filters of the dashboard's calls. `from` and `to` are days of the owner's time zone, both
 * inclusive; `range` goes before them. Without any of the three: all days.
 */
export const CallFilter = UsageFilter.omit({ status: true, from: true, to: true }).extend({
  channel: CallChannel.optional(),
  outcome: OutcomeFilter.optional(),
  range: UsageRange.optional(),
  from: day().optional(),
  to: day().optional(),
})
export type CallFilter = z.infer<typeof CallFilter>

export const CallPage = CallFilter.extend({
  limit: z.int().min(1).max(1_000).default(20),
  cursor: z.string().max(200).optional(),
})

/** What the totals of calls are broken down by. */
export const UsageBreakdown = z.enum(['product', 'tool', 'model', 'key', 'channel'])
export type UsageBreakdown = z.infer<typeof UsageBreakdown>

/** Sums over calls. `failed` counts those that failed, charged or not. */
export const UsageSum = z.object({
  calls: z.int(),
  charged: z.int().describe('Credits'),
  failed: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
})
export type UsageSum = z.infer<typeof UsageSum>

const UsageSeries = UsageSum.extend({
  id: z.string().nullable().describe('What it sums; null: all that is in no other'),
  name: z.string(),
  values: z.array(z.int()).describe('Credits per bucket'),
})

/** Totals of an owner's calls over some time, and how they are made up. */
export const UsageTotals = z.object({
  unit: z.enum(['hour', 'day', 'week', 'month']),
  buckets: z.array(z.string()).describe("Begin of each, in the owner's time zone: YYYY-MM-DDTHH:MM"),
  timeZone: z.string(),
  total: UsageSum,
  series: z.array(UsageSeries).describe('Largest first, the rest together last'),
})
export type UsageTotals = z.infer<typeof UsageTotals>

/** How the calls of some days compare, and how long they took. */
export const UsagePace = z.object({
  before: z.object({ days: z.int(), total: UsageSum }).nullable().describe('As many days before; null: all are meant'),
  measured: z.int().describe('The newest calls of those days, of which the durations are'),
  p50Ms: z.int().nullable(),
  p95Ms: z.int().nullable(),
})
export type UsagePace = z.infer<typeof UsagePace>

export const UsagePage = UsageFilter.extend({
  limit: z.int().min(1).max(100).default(20).describe('Rows a page'),
  cursor: z.string().max(200).optional().describe("The previous answer's nextCursor"),
})
export type UsagePage = z.infer<typeof UsagePage>

/** What usage can be summed by. */
export const UsageDimension = z.enum(['day', 'key', 'tag', 'customer', 'product', 'tool', 'model'])
export type UsageDimension = z.infer<typeof UsageDimension>

export const ReceiptList = z.object({ rows: z.array(CallReceipt), nextCursor: z.string().nullable() })
export type ReceiptList = z.infer<typeof ReceiptList>

/** A change of a balance: the charges of a day together, or one entry of the ledger. */
const StatementLine = z.object({
  id: z.string(),
  kind: z.enum(['charges', 'grant', 'correction', 'refund']),
  day: z.string().describe("YYYY-MM-DD in the owner's time zone"),
  at: z.string().nullable().describe('When; null for the charges of a day'),
  amount: z.int().describe('Credits; negative: taken'),
  calls: z.int(),
  note: z.string().nullable(),
  requestId: z.string().nullable().describe('The call that was refunded'),
  balance: z.int().describe('Credits after it, with those that are reserved'),
})
export type StatementLine = z.infer<typeof StatementLine>

export const AccountStatement = z.object({ lines: z.array(StatementLine), nextCursor: z.string().nullable() })
export type AccountStatement = z.infer<typeof AccountStatement>

export const StatementPage = z.object({
  month: z
    .string()
    .refine((text) => z.iso.date().safeParse(`${text}-01`).success && text >= '1000', 'must be a month, YYYY-MM')
    .optional(),
  cursor: z
    .string()
    .refine(
      (text) => /^\d{4}-\d\d-\d\d(\.\d{1,18})?$/.test(text) && day().safeParse(text.slice(0, 10)).success,
      'is not a cursor',
    )
    .optional(),
})

export const CreditBalance = z.object({ available: z.int(), held: z.int() })
export type CreditBalance = z.infer<typeof CreditBalance>

/** What all keys of an account together may spend a day. */
export const DayLimit = z.object({
  credits: z.int(),
  spent: z.int(),
  held: z.int(),
  remaining: z.int(),
  resetsAt: z.iso.datetime().describe('When the next day begins, UTC'),
})
export type DayLimit = z.infer<typeof DayLimit>

/** What a call that has not been made would cost, in credits. */
export const CallEstimate = z.object({
  most: z.int().nullable().describe('What is held while it runs; null: only the provider knows'),
  typical: z.int().nullable().describe('What it usually costs; null: nobody knows'),
  basis: z.enum(['price', 'receipts', 'estimate']).describe('Where the typical charge is from'),
})
export type CallEstimate = z.infer<typeof CallEstimate>
