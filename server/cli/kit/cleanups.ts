type Cleanup = () => Promise<void>

/** One list in the process: its launcher and its command are bundled apart. */
const KEY = Symbol.for('tollgate.cleanups')
const shared = globalThis as { [KEY]?: Set<Cleanup> }
shared[KEY] ??= new Set()
const cleanups = shared[KEY]

/** Runs `work`, and `cleanUp` once after it: at its end, or as soon as the command is stopped. */
export async function withCleanup<T>(work: () => Promise<T>, cleanUp: Cleanup): Promise<T> {
  let cleaned: Promise<void> | undefined
  const once = () => {
    cleaned ??= cleanUp()
    return cleaned
  }
  cleanups.add(once)
  try {
    return await work()
  } finally {
    await once().finally(() => cleanups.delete(once))
  }
}

/** What a command that is stopped leaves to be removed. Removed, or not: the process is to end. */
export const runCleanups = async (): Promise<void> => {
  await Promise.allSettled([...cleanups].map((cleanUp) => cleanUp()))
}
