import { type Dispatcher, request } from 'undici'
import type { AddressGuard } from './dial'
import { rejectOnAbort } from './reject-on-abort'
import { explainFetchFailure, guardedAgent, parseTarget, SafeFetchError } from './safe-fetch'
import { withClientSpan } from './tracing/http-spans'

export type SafePostOptions = AddressGuard & {
  headers: Record<string, string>
  body: string
  /** Bounds the whole call, the answer's body included. */
  signal: AbortSignal
  /** Bytes of the answer's body that are kept. The rest is not read. */
  keepBytes: number
}

export type PostAnswer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** The beginning of the body, as it came. */
  beginning: Buffer
}

/**
 * POSTs to a URL that a stranger gave. Only public addresses are dialled, checked inside the
 * connection's own DNS lookup. Redirects are an answer like any other: they are not followed. Of
 * the answer's body only the beginning is read, so a huge or endless one costs nothing. Throws
 * SafeFetchError.
 */
export async function safePost(target: string, options: SafePostOptions): Promise<PostAnswer> {
  const { headers, body, signal, keepBytes, ...guard } = options
  const trip = { sent: false }
  const agent = guardedAgent(guard, trip)
  const url = parseTarget(target)
  try {
    const answer = await withClientSpan({ method: 'POST', url }, (trace) => {
      const sent = request(url, {
        dispatcher: agent,
        signal,
        method: 'POST',
        headers: { ...headers, ...trace, 'accept-encoding': 'identity' },
        body,
      })
      // undici notices an abort only once it is connected.
      return rejectOnAbort(sent, signal)
    })
    return { status: answer.statusCode, headers: answer.headers, beginning: await beginningOf(answer.body, keepBytes) }
  } catch (error) {
    if (error instanceof SafeFetchError) throw error
    throw explainFetchFailure(error, { url, trip, signal, maxBytes: keepBytes, first: target })
  } finally {
    void agent.destroy()
  }
}

/**
 * The first bytes of a body; fewer where the connection closes or time is over: the status counts.
 */
async function beginningOf(body: Dispatcher.ResponseData['body'], keepBytes: number): Promise<Buffer> {
  const kept: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      kept.push(chunk)
      size += chunk.byteLength
      if (size >= keepBytes) break
    }
  } catch {
    // What came before is kept.
  }
  body.on('error', () => {}).destroy()
  return Buffer.concat(kept).subarray(0, keepBytes)
}
