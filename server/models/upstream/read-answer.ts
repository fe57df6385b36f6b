import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { contentEncodingOf, readDecodedBody } from '../../kit/decode-body'
import { isRecord } from '../../kit/record'
import { parseRetryAfter } from '../../kit/retry-after'
import type { ResponseHeaders } from '../../kit/whole-response'
import { readFailure, type UpstreamFailure } from './failure'
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

/** A body as JSON, or as it is where it is not JSON. */
export function jsonOrText(text: string): unknown {
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
  const text = (await readDecodedBody(Readable.from(pieces()), contentEncodingOf(headers), maxBytes)).toString('utf8')
  return { statusCode, headers, json: jsonOrText(text) }
}
