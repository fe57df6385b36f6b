/** Runs work of which at most a few may be in progress; the rest waits in the order it came. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

/** A semaphore with `slots` slots. */
export function semaphore(slots: number): Semaphore {
  const waiting: (() => void)[] = []
  let free = slots
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
