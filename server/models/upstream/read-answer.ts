import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { contentEncodingOf, readDecodedBody } from '../../kit/decode-body'
import { measureJson } from '../../kit/read-json'
import { isRecord } from '../../kit/record'
import { parseRetryAfter } from '../../kit/retry-after'
import type { ResponseHeaders } from '../../kit/whole-response'
import { readFailure, UpstreamFailure } from './failure'
import type { ExchangeTimer } from './timer'

/** Largest answer read where a call names no other limit, bytes. */
export const MAX_ANSWER = 32 * 1024 * 1024

/** How long the next piece of an answer is waited for, and the largest answer, bytes. */
export type AnswerLimits = { idleMs: number; maxBytes?: number }

/** An answer that was read to its end: its body as JSON, or as text where it is not JSON. */
export type UpstreamAnswer = { statusCode: number; headers: ResponseHeaders; json: unknown }

/**
 * The failure that an answer reports: by its HTTP status, or by an error in a body that came with
 * 200.
 */
export function failureIn({ statusCode, headers, json }: UpstreamAnswer): UpstreamFailure {
  const error = isRecord(json) ? (json.error ?? json) : json
  return readFailure(error, statusCode === 200 ? null : statusCode, parseRetryAfter(headers['retry-after']))
}

/** What an answer may be made of: vectors are long lists, log probabilities many values. */
const BOUNDS = { items: 10_000_000, keys: 100_000, values: 1_000_000 }

/** Why JSON of a provider's is not parsed, as the end of a sentence; null: it may be. */
export function unreadableJson(bytes: Uint8Array): string | null {
  const measured = measureJson(bytes, BOUNDS)
  return 'why' in measured ? measured.why : null
}

/**
 * A body as JSON, or as it is where it is not JSON. Throws an `UpstreamFailure` where it has more
 * levels or values than any answer.
 */
export function jsonOrText(bytes: Buffer): unknown {
  const text = bytes.toString('utf8')
  const why = /^\s*[[{]/.test(text) ? unreadableJson(bytes) : null
  if (why !== null) throw new UpstreamFailure(`the upstream's answer ${why}`, 200)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * The answer of an upstream that does not stream although it was asked to. Throws where it is too
 * large.
 */
export async function readAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { timer, idleMs, maxBytes = MAX_ANSWER }: AnswerLimits & { timer: ExchangeTimer },
): Promise<UpstreamAnswer> {
  const pieces = async function* () {
    for await (const piece of body) {
      yield piece
      timer.restart(idleMs, 'further byte')
    }
  }
  const bytes = await readDecodedBody(Readable.from(pieces()), contentEncodingOf(headers), maxBytes)
  return { statusCode, headers, json: jsonOrText(bytes) }
}
