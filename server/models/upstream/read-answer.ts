import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { readDecodedBody } from '../../kit/decode-body'
import { isRecord } from '../../kit/record'
import { parseRetryAfter } from '../../kit/retry-after'
import { readFailure, type UpstreamFailure } from './failure'
import type { ExchangeTimer } from './timer'

/** Largest answer read where a call names no other limit, bytes. */
const MAX_BODY = 32 * 1024 * 1024

type ReadOptions = { timer: ExchangeTimer; idleMs: number; maxBytes?: number }

/**
 * The failure that a response reports: by its HTTP status, or by an error in a body that came with
 * 200.
 */
export function failureIn({ statusCode, headers }: Dispatcher.ResponseData, json: unknown): UpstreamFailure {
  const error = isRecord(json) ? (json.error ?? json) : json
  return readFailure(error, statusCode === 200 ? null : statusCode, parseRetryAfter(headers['retry-after']))
}

/** A body as JSON, or as text where it is not JSON. Throws where it is too large. */
export async function readJsonOrText(
  { body, headers }: Dispatcher.ResponseData,
  { timer, idleMs, maxBytes = MAX_BODY }: ReadOptions,
): Promise<unknown> {
  const pieces = async function* () {
    for await (const piece of body) {
      yield piece
      timer.restart(idleMs, 'further byte')
    }
  }
  const coding = [headers['content-encoding'] ?? ''].flat().join(',')
  const text = (await readDecodedBody(Readable.from(pieces()), coding, maxBytes)).toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
