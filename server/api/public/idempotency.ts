import { createHash } from 'node:crypto'
import type { Idempotency } from '../../credits/hold-request'
import type { Replay } from '../../credits/plan'
import type { StoredResponse } from '../../credits/reserve'
import type { CallChannel } from '../../credits/shape'
import { UNSTORED } from '../../credits/stored-response'
import { AppError, asAppError } from '../../errors'
import type { ToolOutcome } from '../../tools/call'
import type { Context, ResponseMeta } from '../context'

/**
 * The Idempotency-Key of a call with the hash of its body. The same body can be valid at two
 * endpoints, whose answers differ: the hash of all but one names its channel.
 */
export function makeIdempotency(given: unknown, bodyHash: Buffer, { channel, reply }: Answering): Idempotency {
  const token = idempotencyToken(given)
  const hash = channel === 'rest' || channel === 'chat' ? bodyHash : hashIn(channel, bodyHash)
  const onUnstored = () => {
    reply.unstored = true
  }
  return { token, bodyHash: hash, onUnstored }
}

/** An Idempotency-Key. Throws `invalid_request` for what is none. */
export function idempotencyToken(given: unknown): string {
  if (typeof given === 'string' && /^[\x21-\x7e]{1,255}$/.test(given)) return given
  throw new AppError('invalid_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters without spaces.')
}

type Answering = { channel: CallChannel; reply: ResponseMeta }

const hashIn = (channel: CallChannel, hash: Buffer) => createHash('sha256').update(`${channel} `).update(hash).digest()

/** The Idempotency-Key of a request's header; undefined when none was sent. */
export function idempotencyOf(
  { headers, bodyHash, reply }: Pick<Context, 'headers' | 'bodyHash' | 'reply'>,
  channel: CallChannel,
): Idempotency | undefined {
  const token = headers.get('idempotency-key')
  const hash = token === null ? null : bodyHash()
  return hash === null ? undefined : makeIdempotency(token, hash, { channel, reply })
}

/**
 * A stored answer, for it to be given again. Throws a stored error, and `conflict` where the answer
 * was not stored.
 */
export function openStored(stored: StoredResponse, reply: ResponseMeta): StoredResponse {
  const { status, body, charged } = stored
  reply.replayed = true
  if (status === UNSTORED) reply.unstored = true
  if (status < 400) return stored
  throw asAppError(body).charged(Number(charged))
}

/** Replays a stored answer as it was. An error is thrown again. */
export function replayAnswer(stored: StoredResponse, reply: ResponseMeta) {
  const { body, charged } = openStored(stored, reply)
  return { ...body, service: { credits_charged: Number(charged) } }
}

/** What REST answers with what a tool returned, or with what was stored of that. */
export const answerTool = (reply: ResponseMeta) => (outcome: ToolOutcome | Replay) =>
  outcome.kind === 'replay'
    ? replayAnswer(outcome.answer, reply)
    : { ...outcome.result, service: { credits_charged: outcome.charged } }
