/** Work of this process that no response waits for: a shutdown waits for it too. */
export const backgroundWork = { count: 0 }

/** What stops work that can be stopped, by its id. */
const stops = new Map<string, AbortController>()

/** Counts work until it has ended, however. `stoppable`: under which id, and what stops it. */
export function runInBackground(work: Promise<unknown>, stoppable?: { id: string; stop: AbortController }): void {
  backgroundWork.count++
  if (stoppable) stops.set(stoppable.id, stoppable.stop)
  const end = () => {
    backgroundWork.count--
    if (stoppable) stops.delete(stoppable.id)
  }
  work.then(end, end)
}

/** Stops work of this process; nothing where it has none of that id. */
export const stopInBackground = (id: string): void => stops.get(id)?.abort()

/** The ids of work of this process that can be stopped. */
export const stoppableWork = (): string[] => [...stops.keys()]
