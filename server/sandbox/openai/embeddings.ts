import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { UnknownRecord } from '../../kit/record'
import { vectorToBase64 } from '../../kit/vectors'
import { countTokens } from '../../models/tokens'
import { mediaFailure, openAiError } from '../media/answers'

const DIMENSIONS = 256
const MAX_TOKENS = 8_192

const COMMON = new Set(
  'a an and are as at be by can did do does for from has have how i in is it its me my of on or our that the their this to was we what when where which who why will with you your'.split(
    ' ',
  ),
)

type Input = string | number[]

/** The words of a text, without what endings add; tokens are words of their own. */
const wordsOf = (input: Input): string[] =>
  typeof input === 'string'
    ? (input.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
        word.length > 4 ? word.replace(/(ing|ed|es|s)$/, '') : word,
      )
    : input.map((token) => `token ${token}`)

/** A direction for every word: its hash, stretched to as many numbers as needed. */
const directions = new LRUCache<string, readonly number[]>({
  max: 50_000,
  memoMethod: (word) => {
    const bytes = createHash('shake256', { outputLength: DIMENSIONS }).update(word).digest()
    return [...bytes].map((byte) => byte / 127.5 - 1)
  },
})

/** A unit vector of a text: texts that share words point in similar directions. */
function simulateVector(input: Input, dimensions = DIMENSIONS): number[] {
  const sum = new Array<number>(DIMENSIONS).fill(0)
  const words = wordsOf(input)
  for (const word of words.length > 0 ? words : ['']) {
    const weight = COMMON.has(word) ? 0.1 : 1
    for (const [i, value] of directions.memo(word).entries()) sum[i] = (sum[i] ?? 0) + weight * value
  }
  const cut = sum.slice(0, dimensions)
  const length = Math.hypot(...cut)
  return cut.map((value) => value / length)
}

const inputsOf = (input: unknown): Input[] =>
  typeof input === 'string' || typeof (input as unknown[])[0] === 'number' ? [input as Input] : (input as Input[])

/** https://platform.openai.com/docs/api-reference/embeddings/create. `../media/routes` lists the failures. */
export async function openAiEmbeddings(req: Request): Promise<Response> {
  const body = (await req.json()) as UnknownRecord
  const inputs = inputsOf(body.input)
  const failure = await mediaFailure(inputs.filter((input) => typeof input === 'string').join(' '))
  if (failure) return failure
  const { dimensions = DIMENSIONS, encoding_format: format } = body
  if (typeof dimensions !== 'number' || dimensions > DIMENSIONS)
    return openAiError(400, 'invalid_value', `Invalid value for 'dimensions': at most ${DIMENSIONS} are supported.`)
  let tokens = 0
  for (const input of inputs) {
    const count = typeof input === 'string' ? await countTokens(input) : input.length
    if (count === 0) return openAiError(400, null, "Invalid 'input': input cannot be an empty string.")
    const limit = `This model's maximum context length is ${MAX_TOKENS} tokens, you asked for ${count}.`
    if (count > MAX_TOKENS) return openAiError(400, null, limit)
    tokens += count
  }
  const data = inputs.map((input, index) => {
    const vector = simulateVector(input, dimensions)
    return { object: 'embedding', index, embedding: format === 'base64' ? vectorToBase64(vector) : vector }
  })
  const usage = { prompt_tokens: tokens, total_tokens: tokens }
  return Response.json({ object: 'list', data, model: body.model, usage })
}
