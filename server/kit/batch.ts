type Waiting<I, O> = {
  item: I
  signal: AbortSignal | undefined
  /** When it is sent at the latest, if nothing goes before. */
  dueMs: number
  resolve: (o: O | PromiseLike<O>) => void
  reject: (e: unknown) => void
}

export type BatchOptions<I = never> = {
  maxItems?: number
  /** Callers that may wait to be sent; more are refused at once. */
  maxWaiting?: number
  /** What a caller beyond `maxWaiting` gets. */
  full?: () => Error
  /**
   * True when a batch failed without having done anything and is to be sent again, with those who
   * came meanwhile.
   */
  isRetried?: (error: unknown) => boolean
  /** How long an item may wait for others to go with, milliseconds; default: not at all. */
  delayOf?: (item: I) => number
}

/**
 * Sends one item with others. Rejects with the signal's reason when it aborts before the item was
 * sent.
 */
export type SendToBatch<I, O> = (item: I, signal?: AbortSignal) => Promise<O>

/**
 * Natural batching: while one batch is in progress the next callers gather, and they go together
 * when it returns. A lone caller waits only for those whose requests arrived in the same turn of
 * the event loop; there is a timer only for items that may wait (`delayOf`). `run` returns one
 * output per item, in order; when it throws, every caller of that batch gets the error.
 */
export function makeBatcher<I, O>(
  run: (items: I[]) => Promise<(O | PromiseLike<O>)[]>,
  {
    maxItems = 256,
    maxWaiting = 5_000,
    full = () => new Error('Too many callers are waiting.'),
    isRetried = () => false,
    delayOf = () => 0,
  }: BatchOptions<I> = {},
): SendToBatch<I, O> {
  let queue: Waiting<I, O>[] = []
  let running = false
  let isDue = false
  let timer: NodeJS.Timeout | undefined

  /** The next items; callers who have left are dropped. */
  const take = (): Waiting<I, O>[] => {
    const taken: Waiting<I, O>[] = []
    let at = 0
    for (; at < queue.length && taken.length < maxItems; at++) {
      const next = queue[at] as Waiting<I, O>
      if (next.signal?.aborted) next.reject(next.signal.reason)
      else taken.push(next)
    }
    queue = queue.slice(at)
    return taken
  }

  const flushSoon = () => {
    if (isDue || running) return
    isDue = true
    setImmediate(flush)
  }

  const flush = async () => {
    isDue = false
    clearTimeout(timer)
    timer = undefined
    if (running) return
    const now = take()
    if (now.length === 0) return
    running = true
    try {
      const outputs = await run(now.map((w) => w.item))
      now.forEach((w, i) => {
        w.resolve(outputs[i] as O)
      })
    } catch (error) {
      if (isRetried(error)) queue = [...now, ...queue]
      else for (const w of now) w.reject(error)
    } finally {
      running = false
      flushWhenDue()
    }
  }

  /** Sends what waits: at once, or when the first of those is due that may all wait. */
  const flushWhenDue = () => {
    if (running || isDue || queue.length === 0) return
    const dueMs = queue.length < maxItems ? Math.min(...queue.map((w) => w.dueMs)) : 0
    const leftMs = dueMs - performance.now()
    if (leftMs <= 0) flushSoon()
    else timer ??= setTimeout(flushSoon, leftMs)
  }

  return (item, signal) =>
    new Promise<O>((resolve, reject) => {
      if (queue.length >= maxWaiting) return reject(full())
      const delayMs = delayOf(item)
      queue.push({ item, signal, dueMs: delayMs === 0 ? 0 : performance.now() + delayMs, resolve, reject })
      if (delayMs === 0 || queue.length >= maxItems) flushSoon()
      else if (!running && !isDue) timer ??= setTimeout(flushSoon, delayMs)
    })
}
