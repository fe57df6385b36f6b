/** Work of this process that no response waits for: a shutdown waits for it too. */
export const backgroundWork = { count: 0 }

/** Counts work until it has ended, however. */
export function runInBackground(work: Promise<unknown>): void {
  backgroundWork.count++
  const end = () => {
    backgroundWork.count--
  }
  work.then(end, end)
}
