import { z } from 'zod'

const text = (maxChars: number) =>
  z
    .string()
    .min(1)
    .max(maxChars)
    .regex(/\S/, 'must not be blank')
    .regex(/^[^\0]*$/, 'must not contain NUL')

/** Characters of the JSON of a value that a result is compared with. */
const MAX_VALUE_CHARS = 20_000
/** How many checks a run may have. */
const MAX_CHECKS = 10

const value = z
  .unknown()
  .refine((given) => given !== undefined, 'is missing')
  .refine((given) => (JSON.stringify(given) ?? '').length <= MAX_VALUE_CHARS, `has over ${MAX_VALUE_CHARS} characters`)

const path = z
  .string()
  .max(500)
  .regex(/^(\/[^\0]*)?$/, 'must be a JSON Pointer, such as /items/0/price')

const FIELDS = {
  value: value.describe('Kind equals: the text of the result; with outputSchema its value, or that at `path`'),
  path: path
    .optional()
    .describe('Kind equals, with outputSchema: a JSON Pointer into the output, such as /items/0/price'),
  text: text(2_000).describe('Kind contains: what is in the text of the result, in any case'),
  query: text(100_000).describe(
    "Kind sql: a SELECT over the owner's datasets, each a table with its name, whose first cell must be true or not 0",
  ),
  model: text(200).describe('Kind judge: the chat model that is asked. It is paid for by the run, within its limits'),
  question: text(2_000).describe('Kind judge: what the model answers with yes, which passes, or no'),
}

/** What the result of a run must be like, tested when the run has it. */
export const Check = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('equals'), value: FIELDS.value, path: FIELDS.path }),
  z.strictObject({ kind: z.literal('contains'), text: FIELDS.text }),
  z.strictObject({ kind: z.literal('sql'), query: FIELDS.query }),
  z.strictObject({ kind: z.literal('judge'), model: FIELDS.model, question: FIELDS.question }),
])
export type Check = z.infer<typeof Check>

/** The checks of a run, as its start names them. */
export const Checks = z.array(Check).min(1).max(MAX_CHECKS)

export const CheckVerdict = z.enum(['passed', 'failed', 'error'])
export type CheckVerdict = z.infer<typeof CheckVerdict>

/** What came of a check. */
const Outcome = z.object({
  verdict: CheckVerdict.nullable().describe(
    'error: it could not be tested, and `reason` says why. null: not tested yet, or the run ended without a result',
  ),
  reason: z.string().nullable().describe('Why, of a check that did not pass; of a judge always'),
  creditsCharged: z.int().describe("A judge's charge, which is in the run's creditsSpent; else 0"),
  requestId: z.string().nullable().describe("Of the receipt of a judge's charge"),
})

/** A check of a run, and what came of it. */
export const RunCheck = z.object({
  kind: z.enum(['equals', 'contains', 'sql', 'judge']),
  value: z.unknown().optional(),
  path: z.string().optional(),
  text: z.string().optional(),
  query: z.string().optional(),
  model: z.string().optional(),
  question: z.string().optional(),
  ...Outcome.shape,
})
export type RunCheck = z.infer<typeof RunCheck>

/** How many checks of a run came to what. */
export const CheckTotals = z.object({
  passed: z.int(),
  failed: z.int(),
  errors: z.int().describe('Could not be tested'),
  untested: z.int().describe('Not yet, or the run ended without a result'),
})
export type CheckTotals = z.infer<typeof CheckTotals>
