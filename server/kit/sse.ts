import { once } from './once'

const encoder = new TextEncoder()

/** A comment that keeps a connection alive, and does not reach whoever reads the events. */
export const KEEPALIVE = ': keepalive\n\n'
const KEEPALIVE_BYTES = encoder.encode(KEEPALIVE)

/** How patient streams are, milliseconds; tests set their own values. */
export type SseTiming = {
  /** After this long without a first event the headers go out, with a comment. */
  openAfterMs: number
  /** Silence after which a comment is sent, before the first event and between two. */
  keepaliveMs: number
}

/** The timing of every stream in this process. */
export const sseTiming = (): SseTiming => once('sse-timing', () => ({ openAfterMs: 10_000, keepaliveMs: 15_000 }))

/** Bodies being read in this process, until their sources have ended: a shutdown waits for them. */
export const openStreams = () => once('streams', () => ({ count: 0 }))

/** One server-sent event with a JSON payload. */
export const sseData = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

/**
 * Server-sent events as a body: a piece is taken from `texts` only when the reader wants one, so a slow reader slows
 * the source. While nothing comes, a comment keeps the connection alive. `onLeave` hears that the reader is gone.
 */
export function sseBody(
  texts: AsyncIterator<string>,
  onLeave: () => void,
  keepaliveMs = sseTiming().keepaliveMs,
): ReadableStream<Uint8Array> {
  let timer: NodeJS.Timeout | undefined
  let state: 'new' | 'open' | 'over' = 'new'
  const begin = () => {
    if (state !== 'new') return
    state = 'open'
    openStreams().count++
  }
  const end = () => {
    clearInterval(timer)
    if (state === 'open') openStreams().count--
    state = 'over'
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        begin()
        timer = setInterval(() => controller.enqueue(KEEPALIVE_BYTES.slice()), keepaliveMs)
        try {
          const next = await texts.next()
          clearInterval(timer)
          if (!next.done) return controller.enqueue(encoder.encode(next.value))
        } catch (error) {
          end()
          throw error
        }
        end()
        controller.close()
      },
      async cancel() {
        clearInterval(timer)
        onLeave()
        const isFirst = state === 'new'
        begin()
        try {
          // A generator that was never asked for anything would end without its `finally`.
          if (isFirst) await texts.next()
          await texts.return?.()
        } finally {
          end()
        }
      },
    },
    { highWaterMark: 0 },
  )
}
