import { z } from 'zod'

/**
 * How a model's reply ended. `length`: cut at the output limit. `empty`: neither text nor calls,
 * for example because reasoning took all tokens. `announced`: it says what it will do, and calls
 * nothing.
 */
export const ReplyFinish = z.enum(['stop', 'tool_calls', 'length', 'content_filter', 'refusal', 'empty', 'announced'])
export type ReplyFinish = z.infer<typeof ReplyFinish>

const tokens = z.int().default(0)

/** The output of a model step. Fields with a default are missing in older rows. */
export const ModelStepOutput = z.object({
  agent: z.string(),
  text: z.string(),
  /** The calls that are made: `message` may have more. */
  calls: z.array(z.object({ name: z.string(), arguments: z.string() })),
  /** The reply as the model gave it, which is how it goes back to it. */
  message: z.record(z.string(), z.unknown()).nullable().default(null),
  finish: ReplyFinish.default('stop'),
  /** Name of a call that was cut at the output limit, and left out. */
  cutCall: z.string().nullable().default(null),
  inputTokens: z.int(),
  outputTokens: z.int(),
  /** Output tokens that the reply could have. */
  maxOutput: z.int().nullable().default(null),
  /** Of the input: tokens that the provider read from its cache, and wrote to it. */
  cachedTokens: tokens,
  cacheWriteTokens: tokens,
  /** Of the output. */
  reasoningTokens: tokens,
  /** Credits that the cache saved; below 0 where writing to it cost more. */
  savedCredits: tokens,
  estimated: z.boolean(),
})
export type ModelStepOutput = z.infer<typeof ModelStepOutput>
