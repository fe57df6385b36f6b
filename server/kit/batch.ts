type Waiting<I, O> = { item: I; resolve: (o: O) => void; reject: (e: unknown) => void }

/**
 * Natural batching: while one batch is under way the next callers gather, and they go together when it returns. A lone
 * caller waits only for those whose requests arrived in the same turn of the event loop; there is no timer. `run` answers one output per item, in order; when it
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
      if (queue.length > 0) setImmediate(flush)
    }
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      queue.push({ item, resolve, reject })
      if (!running && queue.length === 1) setImmediate(flush)
    })
}
