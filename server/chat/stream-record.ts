import type { StoredResponse } from '../credits/reserve'
import { MAX_STORED_BYTES, type StoredAnswer } from '../credits/stored-response'
import { asAppError, type StoredError } from '../errors'
import { isRecord, recordsIn, type UnknownRecord } from '../kit/record'
import type { StreamPiece } from '../models/wires/wire'

/** A stream as it is stored for a repeat: the pieces that its client got, and those that end it. */
export type StreamRecord = {
  add: (piece: StreamPiece) => void
  /** The answer to store, with the pieces that end the stream; null: it is too large. */
  answer: (last: readonly StreamPiece[]) => StoredAnswer | null
}

/** Errors as they are stored; the charge of a piece is stored beside the answer. */
function toStore({ kind: _kind, charged, ...piece }: StreamPiece): UnknownRecord {
  const isCharged = charged === undefined ? {} : { isCharged: true }
  if (!('error' in piece)) return { ...piece, ...isCharged }
  const { message, retryAfter, fields } = piece.error
  return { ...piece, error: { error: message, retryAfter, ...fields }, ...isCharged }
}

/** Begins the record of a stream. What is beyond the size of an answer takes no memory. */
export function openStreamRecord(): StreamRecord {
  let text = ''
  let size = 0
  const add = (piece: StreamPiece) => {
    if (size > MAX_STORED_BYTES) return
    const json = JSON.stringify(toStore(piece))
    size += Buffer.byteLength(json) + 1
    text = size > MAX_STORED_BYTES ? '' : `${text}${text === '' ? '' : ','}${json}`
  }
  return {
    add,
    answer: (last) => {
      for (const piece of last) add(piece)
      return size > MAX_STORED_BYTES ? null : { status: 200, body: `{"stream":[${text}]}` }
    },
  }
}

/** The pieces of a stored stream, with the charge of the call that made it. */
export async function* replayStream({ body, charged: credits }: StoredResponse): AsyncGenerator<StreamPiece> {
  const charged = Number(credits)
  for (const { event, chunk, error, isCharged } of recordsIn(body.stream)) {
    const named = typeof event === 'string' ? { event } : {}
    if (isRecord(error)) {
      const written = isRecord(chunk) ? { chunk } : {}
      yield { kind: 'error', ...named, ...written, error: asAppError(error as StoredError), charged }
    } else if (isRecord(chunk)) {
      yield { kind: 'chunk', ...named, chunk, ...(isCharged === true && { charged }) }
    }
  }
}
