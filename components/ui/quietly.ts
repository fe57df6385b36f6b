/** Uses the browser's storage, which may keep nothing, such as in a private window: then null. */
export function quietly<T>(use: () => T): T | null {
  try {
    return use()
  } catch {
    return null
  }
}
