const encoder = new TextEncoder()

/** One server-sent event with a JSON payload. */
export const sseData = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

/**
 * Server-sent events as a body: a piece is taken from `texts` only when the reader wants one, so a slow reader slows
 * the source. While nothing comes, a comment keeps the connection alive. `onLeave` hears that the reader is gone.
 */
export function sseBody(
  texts: AsyncIterator<string>,
  onLeave: () => void,
  keepaliveMs = 15_000,
): ReadableStream<Uint8Array> {
  let timer: NodeJS.Timeout | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        timer = setInterval(() => controller.enqueue(encoder.encode(': keepalive\n\n')), keepaliveMs)
        const next = await texts.next().finally(() => clearInterval(timer))
        if (next.done) controller.close()
        else controller.enqueue(encoder.encode(next.value))
      },
      async cancel() {
        clearInterval(timer)
        onLeave()
        await texts.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
