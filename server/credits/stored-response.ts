import type { ReserveRequest } from './hold-request'

/** An answer as it is stored for a repeat: its status, and its body without the `service` block. */
export type StoredAnswer = { status: number; body: string }

/** Largest body that is stored for a repeat, bytes. */
export const MAX_STORED_BYTES = 4 * 1024 * 1024

/**
 * Returns what is stored of an answer; null: one that was too large to be kept together, or whose
 * hold was swept and whose Idempotency-Key is another call's by now. An answer that is not stored
 * leaves a 409 with the request's id, so that its repeat runs nothing again.
 */
export type AnswerKeeper = (answer: StoredAnswer | null) => StoredAnswer

/** The status of what is stored in place of an answer. No answer of a call has it. */
export const UNSTORED = 409

/** What a call with an Idempotency-Key stores. `isFull`: its account stores no more. */
export function makeAnswerKeeper(
  { id, idempotency }: Pick<ReserveRequest, 'id' | 'idempotency'>,
  isFull: boolean,
): AnswerKeeper | undefined {
  if (!idempotency) return undefined
  const unstored = (why: string): StoredAnswer => {
    idempotency.onUnstored?.()
    const error = `The answer to this Idempotency-Key was not stored: ${why}. Its receipt is at /api/v1/usage/${id}.`
    return { status: UNSTORED, body: JSON.stringify({ error, code: 'conflict', reason: 'not_stored', requestId: id }) }
  }
  if (isFull && !idempotency.isWhole) {
    const full = unstored('the answers that this account stored within 24 hours have reached 4 GiB')
    return () => full
  }
  return (answer) =>
    answer && (idempotency.isWhole || Buffer.byteLength(answer.body) <= MAX_STORED_BYTES)
      ? answer
      : unstored('it was larger than 4 MiB')
}
