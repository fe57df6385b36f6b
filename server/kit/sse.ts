const encoder = new TextEncoder()

/** A comment that keeps a connection alive, and does not reach whoever reads the events. */
export const SSE_KEEPALIVE = ': keepalive\n\n'
const KEEPALIVE_BYTES = encoder.encode(SSE_KEEPALIVE)

/** How patient streams are, milliseconds; tests set their own values. */
export type SseTiming = {
  /** After this long without a first event the headers go out, with a comment. */
  openAfterMs: number
  /** Silence after which a comment is sent, before the first event and between two. */
  keepaliveMs: number
}

/** The timing of every stream in this process. */
export const sseTiming: SseTiming = { openAfterMs: 10_000, keepaliveMs: 15_000 }

type OpenStreams = {
  /**
   * Bodies being read in this process, until their sources have ended: a shutdown waits for them.
   */
  count: number
  /** Ends each of them with a last event, as their readers leaving would. */
  cut: Set<(lastEvent: string) => void>
}

export const openStreams: OpenStreams = { count: 0, cut: new Set() }

/**
 * Ends every open body with one more event, such as an `error`: for what a shutdown cannot wait for
 * any longer.
 */
export const endStreams = (lastEvent: string): void => {
  for (const cut of [...openStreams.cut]) cut(lastEvent)
}

type SseOptions = {
  keepaliveMs?: number
  /** What `endStreams` ends this one with, where its readers expect another format. */
  lastEventIfCut?: string
}

/** One server-sent event with a JSON payload. */
export const sseData = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

/**
 * Server-sent events as a body: a piece is taken from `texts` only when the reader wants one, so a
 * slow reader slows the source. While nothing comes, a comment keeps the connection alive.
 * `onLeave` is called when the reader has disconnected.
 */
export function sseBody(
  texts: AsyncIterator<string>,
  onLeave: () => void,
  { keepaliveMs = sseTiming.keepaliveMs, lastEventIfCut }: SseOptions = {},
): ReadableStream<Uint8Array> {
  let timer: NodeJS.Timeout | undefined
  let state: 'new' | 'open' | 'over' = 'new'
  let isCut = false
  let cut = (_lastEvent: string) => {}
  const begin = () => {
    if (state !== 'new') return
    state = 'open'
    openStreams.count++
    openStreams.cut.add(cut)
  }
  const end = () => {
    clearInterval(timer)
    openStreams.cut.delete(cut)
    if (state === 'open') openStreams.count--
    state = 'over'
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        cut = (lastEvent) => {
          isCut = true
          clearInterval(timer)
          controller.enqueue(encoder.encode(lastEventIfCut ?? lastEvent))
          controller.close()
          onLeave()
          // A source between two pieces ends at once, one that waits for its next when that comes
          // or fails.
          void Promise.resolve(texts.return?.()).then(end, end)
        }
      },
      async pull(controller) {
        begin()
        timer = setInterval(() => controller.enqueue(KEEPALIVE_BYTES.slice()), keepaliveMs)
        try {
          const next = await texts.next()
          clearInterval(timer)
          if (isCut) return
          if (!next.done) return controller.enqueue(encoder.encode(next.value))
        } catch (error) {
          if (isCut) return
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
