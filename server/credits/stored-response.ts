import type { SettleRequest } from './settlement'

/** Largest answer that is kept for a repeat, bytes. */
const MAX_BYTES = 1024 * 1024

/**
 * What a repeat with the same Idempotency-Key is answered. An answer beyond 1 MiB is not kept: its
 * repeat is a 409 that says so and names the receipt, with the first call's charge, and nothing
 * runs again.
 */
export function responseToStore({ id, answer }: Pick<SettleRequest, 'id' | 'answer'>): SettleRequest['answer'] {
  if (!answer || Buffer.byteLength(answer.body) <= MAX_BYTES) return answer
  const error = `The answer to this Idempotency-Key was larger than 1 MiB and was not kept. Its receipt is at /api/v1/usage/${id}.`
  return { status: 409, body: JSON.stringify({ error, code: 'conflict' }) }
}
