/**
 * The value of a promise, or null if it takes longer than `timeoutMs`; a later rejection is ignored
 * then.
 */
export function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, timeoutMs), null)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
