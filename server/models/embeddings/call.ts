import { isRecord } from '../../kit/record'
import { readVector } from '../../kit/vectors'
import type { CallModelOptions, ReportedUsage } from '../completion'
import type { Model, Upstream } from '../shape'
import { UPSTREAM_TIMEOUTS } from '../upstream/call'
import { UpstreamFailure } from '../upstream/failure'
import { firstToServe } from '../upstream/first-to-serve'
import { traceEmbeddings } from '../upstream/model-span'
import { failureIn, type UpstreamAnswer } from '../upstream/read-answer'
import { keyOf, postJson } from '../upstream/request'
import type { ExchangeTimer } from '../upstream/timer'
import { readUsage } from '../wires/chat/usage'
import type { EmbeddingsAsk } from './request'

/** One item of an answer; its vector is in base64. */
export type EmbeddingItem = { embedding: string; [field: string]: unknown }

export type EmbeddingsAnswer = {
  /** The answer without its vectors and its usage. */
  rest: Record<string, unknown>
  items: EmbeddingItem[]
  /** Null: none, or none that can be believed. */
  usage: ReportedUsage | null
}

type CallOptions = Pick<CallModelOptions, 'signal' | 'sent' | 'logged'>

/** Largest answer read, bytes: 2,048 vectors of 3,072 numbers in base64. */
const MAX_BODY = 48 * 1024 * 1024

/** Upstreams that were seen to refuse base64. */
const withoutBase64 = new WeakSet<Upstream>()

/**
 * Embeddings from a model's upstreams, in order, until one serves. Throws as `firstToServe` does.
 */
export const callEmbeddings = (model: Model, ask: EmbeddingsAsk, options: CallOptions): Promise<EmbeddingsAnswer> =>
  traceEmbeddings(model, () =>
    firstToServe(model, options, (upstream, timer) =>
      upstream.api === 'embeddings' ? embedAt(upstream, ask, { timer, ...options }) : null,
    ),
  )

/**
 * Vectors are always asked for in base64, which has a quarter of the bytes and none of the parsing;
 * an upstream that refuses it is asked again for numbers.
 */
async function embedAt(
  upstream: Upstream,
  ask: EmbeddingsAsk,
  { timer, sent }: { timer: ExchangeTimer; sent?: CallOptions['sent'] },
): Promise<EmbeddingsAnswer> {
  const { connectMs, firstByteMs, idleMs } = UPSTREAM_TIMEOUTS
  timer.restart(connectMs + firstByteMs, 'answer')
  const key = keyOf(upstream)
  const isEncoded = !withoutBase64.has(upstream)
  const answer = await postJson(
    `${upstream.baseUrl}/embeddings`,
    { ...ask.body, ...(isEncoded && { encoding_format: 'base64' }), model: upstream.model },
    { headers: key ? { authorization: `Bearer ${key}` } : {}, timer, sent, connectMs, idleMs, maxBytes: MAX_BODY },
  )
  const { statusCode, json } = answer
  if (isEncoded && refusesBase64(answer)) {
    withoutBase64.add(upstream)
    return embedAt(upstream, ask, { timer, sent })
  }
  timer.end()
  if (statusCode !== 200 || !isRecord(json) || json.error != null) throw failureIn(answer)
  const { data, usage, ...rest } = json
  const items = Array.isArray(data) ? data.flatMap(readItem) : []
  if (items.length !== ask.inputs.length)
    throw new UpstreamFailure('the upstream answered without a vector for each text', 200)
  return { rest, items, usage: readEmbeddingsUsage(usage) }
}

const refusesBase64 = ({ statusCode, json }: UpstreamAnswer): boolean =>
  (statusCode === 400 || statusCode === 422) && /encoding_format|base64/.test(JSON.stringify(json))

function readItem(item: unknown): EmbeddingItem[] {
  const embedding = isRecord(item) ? readVector(item.embedding) : null
  return isRecord(item) && embedding !== null ? [{ ...item, embedding }] : []
}

/**
 * An upstream's usage of embeddings, or null where it cannot be believed. Some report only the
 * total, and none has output.
 */
function readEmbeddingsUsage(raw: unknown): ReportedUsage | null {
  if (!isRecord(raw)) return null
  return readUsage({ prompt_tokens: raw.prompt_tokens ?? raw.total_tokens, completion_tokens: 0, cost: raw.cost })
}
