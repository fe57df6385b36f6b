import { z } from 'zod'

/** One text to embed, or its tokens. */
export type EmbeddingInput = string | readonly number[]

export type VectorFormat = 'float' | 'base64'

/** Most texts in one request, and most tokens of all of them. */
const MAX_INPUTS = 2_048
export const MAX_INPUT_TOKENS = 1_000_000

/** Fields that would choose another model. */
const REFUSED = ['models', 'route', 'provider', 'plugins'] as const

/** Fields that are not passed on: we choose how vectors travel, and nothing is stored. */
const DROPPED = ['encoding_format', 'store', 'service_tier'] as const

const isToken = (value: unknown): boolean => typeof value === 'number' && Number.isInteger(value) && value >= 0

/** Whether every item is a token. A loop: there can be a million of them. */
const areTokens = (list: readonly unknown[]): list is number[] => list.every(isToken)

type Read = { inputs: EmbeddingInput[] } | { path: (string | number)[]; message: string }

/** What `input` holds, in any of its four forms, or what is wrong with it. */
function readInputs(input: unknown): Read {
  if (typeof input === 'string') return { inputs: [input] }
  if (!Array.isArray(input) || input.length === 0)
    return { path: ['input'], message: 'must be a text, a list of texts, or tokens' }
  if (typeof input[0] === 'number') {
    if (input.length > MAX_INPUT_TOKENS) return tooManyTokens
    return areTokens(input) ? { inputs: [input] } : { path: ['input'], message: 'must be texts, or whole numbers' }
  }
  if (input.length > MAX_INPUTS)
    return { path: ['input'], message: `has ${input.length} texts; ${MAX_INPUTS} are allowed in one request` }
  let tokens = 0
  for (const [i, each] of input.entries()) {
    if (typeof each === 'string') continue
    const isList = Array.isArray(each) && each.length > 0
    tokens += isList ? each.length : 0
    if (tokens > MAX_INPUT_TOKENS) return tooManyTokens
    if (!isList || !areTokens(each)) return { path: ['input', i], message: 'must be a text, or a list of tokens' }
  }
  return { inputs: input }
}

export const tooManyTokens = {
  path: ['input'],
  message: `has more than ${MAX_INPUT_TOKENS.toLocaleString('en')} tokens; send it in several requests`,
}

/**
 * A request for embeddings in the common wire format. What we act on is checked, other fields pass
 * through.
 */
export const EmbeddingsRequest = z
  .looseObject({
    model: z.string('must name a model').min(1),
    // Not as a union: zod would try each form on every one of a million tokens.
    input: z.unknown().meta({
      description: `A text, up to ${MAX_INPUTS} texts, or their tokens`,
      anyOf: [
        { type: 'string' },
        { type: 'array', items: { type: 'string' } },
        { type: 'array', items: { type: 'integer' } },
        { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
      ],
    }),
    encoding_format: z.enum(['float', 'base64'], 'must be float or base64').nullish(),
    dimensions: z.int('must be a whole number').min(1).max(100_000).nullish().describe('Length of the vectors'),
  })
  .superRefine((body, check) => {
    for (const field of REFUSED) {
      if (body[field] != null) check.addIssue({ code: 'custom', path: [field], message: 'is not supported here' })
    }
    const read = readInputs(body.input)
    if ('message' in read) check.addIssue({ code: 'custom', ...read })
  })
export type EmbeddingsRequest = z.infer<typeof EmbeddingsRequest>

/** What is asked for, once it is checked. */
export type EmbeddingsAsk = { inputs: readonly EmbeddingInput[]; format: VectorFormat; body: Record<string, unknown> }

/** Reads a checked request: its inputs, its format, and the body for the upstream. */
export function readEmbeddingsRequest(given: EmbeddingsRequest): EmbeddingsAsk {
  const read = readInputs(given.input)
  const body: Record<string, unknown> = { ...given }
  for (const field of DROPPED) delete body[field]
  return { inputs: 'inputs' in read ? read.inputs : [], format: given.encoding_format ?? 'float', body }
}
