import { log } from '../../kit/log'
import { isRecord, type UnknownRecord } from '../../kit/record'
import { withTimeout } from '../../kit/with-timeout'
import { openPartialResponse } from '../../models/wires/responses/items'
import type { StreamPiece } from '../../models/wires/wire'
import { type Keeper, postponeExpiry, writeRow } from './rows'

/** An answer waits no longer for being kept, milliseconds. */
const PATIENCE_MS = 3_000

/** What is kept of a request: its id, its own input, and what that refers to. */
export type Keeping = Keeper & {
  id: string
  input: UnknownRecord[]
  used: { rows: readonly string[]; previousId: string | null; conversationId: string | null }
}

/**
 * Keeps a response to be referred to. Returns what it says of that: `store` is false where it could
 * not be kept, because the database is away or the account keeps too much already. An answer that
 * is paid for never fails for it.
 */
export async function keepResponse(
  { id, input, used, ...keeper }: Keeping,
  response: UnknownRecord,
): Promise<UnknownRecord> {
  const { previousId, conversationId } = used
  const write = async () => {
    const isKept = await writeRow(keeper, { id, kind: 'response', previousId, conversationId }, { input, response })
    if (isKept) await postponeExpiry(keeper, used)
    return isKept
  }
  const isKept = await withTimeout(write(), PATIENCE_MS).catch((error: unknown) => {
    log.warn({ requestId: id, err: String(error) }, 'a response could not be kept')
    return false
  })
  return isKept ? response : { ...response, store: false }
}

/**
 * A stream whose response is kept: before its last event, or, where its client disconnects, as far
 * as it had come.
 */
export async function* keepStream(pieces: AsyncGenerator<StreamPiece>, keeping: Keeping): AsyncGenerator<StreamPiece> {
  const partial = openPartialResponse()
  let hasEnded = false
  try {
    for await (const piece of pieces) {
      if (piece.kind === 'chunk' && piece.charged === undefined) {
        partial.add(piece.chunk)
        yield piece
        continue
      }
      hasEnded = true
      const response = piece.chunk?.response
      const isPaid = piece.kind === 'chunk' || piece.charged > 0
      yield isPaid && isRecord(response)
        ? { ...piece, chunk: { ...piece.chunk, response: await keepResponse(keeping, response) } }
        : piece
    }
  } finally {
    const response = hasEnded ? null : partial.cut()
    if (response) await keepResponse(keeping, response)
  }
}
