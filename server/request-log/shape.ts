import { z } from 'zod'

export const RequestLog = z.object({
  requestId: z.string().describe('The x-request-id of the call'),
  at: z.iso.datetime().describe('When it was kept'),
  request: z
    .unknown()
    .describe("What was asked: a tool's parameters, or the body sent to a model, without secrets and inline data"),
  response: z
    .unknown()
    .describe(
      "What came back: a tool's result; of a model the texts it wrote, as output: [{part, text}], streamed or not; " +
        'error where the call failed',
    ),
  requestTruncated: z.boolean().describe('True when the request was longer than 64 KiB: the rest was not kept'),
  responseTruncated: z.boolean().describe('The same for the response'),
})
export type RequestLog = z.infer<typeof RequestLog>

export const RequestLogSetting = z.object({
  isOffered: z.boolean().describe('False: the operator keeps no request log'),
  isOn: z.boolean().describe('Whether the owner chose it'),
  days: z.int().describe('How long what is kept is kept'),
})
export type RequestLogSetting = z.infer<typeof RequestLogSetting>

/** Statuses of answers that refuse: the others are failures, or say that a request is wrong. */
export const REFUSAL_STATUSES: ReadonlySet<number> = new Set([401, 402, 403, 409, 422, 429])

const status = z
  .int()
  .refine((given) => REFUSAL_STATUSES.has(given), { error: `must be one of ${[...REFUSAL_STATUSES].join(', ')}` })

export const RefusedCall = z.object({
  requestId: z.string().describe('The x-request-id of the call'),
  at: z.iso.datetime(),
  keyId: z.int(),
  keyName: z.string().describe("The key's present name"),
  status: z.int(),
  code: z.string(),
  reason: z.string(),
  message: z.string(),
  limit: z
    .object({ source: z.string(), name: z.string() })
    .nullable()
    .describe('The limit that refused it: limitSource of a 402, `rate` of a 429, and its name'),
  operation: z.string().describe('Such as `query`, `chat` or `agent.start`'),
  called: z.string().nullable().describe('The tool or model that was named, where the request was read so far'),
})
export type RefusedCall = z.infer<typeof RefusedCall>

export const RefusalPage = z.object({
  keyId: z.int().positive().optional().describe('Of one key'),
  status: status.optional().describe('Of one status'),
  limit: z.int().min(1).max(100).default(20).describe('Rows a page'),
  cursor: z.string().max(200).optional().describe("The previous answer's nextCursor"),
})
export type RefusalPage = z.infer<typeof RefusalPage>

export const RefusalList = z.object({ rows: z.array(RefusedCall), nextCursor: z.string().nullable() })
export type RefusalList = z.infer<typeof RefusalList>

export const RefusalRange = z.enum(['day', 'week', 'month']).describe('24 hours, or 7 or 30 days')
export type RefusalRange = z.infer<typeof RefusalRange>

export const RefusalFilter = z.object({ keyId: z.int().positive().optional(), range: RefusalRange.default('day') })
export type RefusalFilter = z.infer<typeof RefusalFilter>

export const RefusalTotals = z.object({
  unit: z.enum(['hour', 'day']),
  buckets: z.array(z.string()).describe("Begin of each, in the owner's time zone: YYYY-MM-DDTHH:MM"),
  series: z
    .array(
      z.object({
        status: z.int(),
        limitName: z.string().describe('Empty where no limit refused'),
        values: z.array(z.int()),
        requests: z.int(),
      }),
    )
    .describe('Most refusals first'),
  requests: z.int().describe('All refused requests'),
})
export type RefusalTotals = z.infer<typeof RefusalTotals>
