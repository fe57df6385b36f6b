type Waiting<I, O> = { item: I; resolve: (o: O) => void; reject: (e: unknown) => void }

/**
 * Natural batching: while one batch is under way the next callers gather, and they go together when it returns.
 * No timer and no delay, so a lone caller goes at once. `run` answers one output per item, in order; when it
 * throws, every caller of that batch gets the error.
 */
export function batch<I, O>(run: (items: I[]) => Promise<O[]>, maxItems = 256): (item: I) => Promise<O> {
  let queue: Waiting<I, O>[] = []
  let running = false

  const flush = async () => {
    if (running || queue.length === 0) return
    running = true
    const now = queue.slice(0, maxItems)
    queue = queue.slice(maxItems)
    try {
      const outputs = await run(now.map((w) => w.item))
      now.forEach((w, i) => {
        w.resolve(outputs[i] as O)
      })
    } catch (error) {
      for (const w of now) w.reject(error)
    } finally {
      running = false
      void flush()
    }
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      queue.push({ item, resolve, reject })
      queueMicrotask(flush)
    })
}
