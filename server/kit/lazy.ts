/** A value that is made at its first use and kept. */
export type Lazy<T> = (() => T) & {
  /** Puts another value in its place. */
  set: (value: T) => void
  /** Takes the value away, so that the next use makes a new one. Returns it if there was one. */
  reset: () => T | undefined
}

/** Makes a value at its first use: for what depends on settings or costs something to make. */
export function lazy<T>(make: () => T): Lazy<T> {
  let made: { value: T } | undefined
  const get = () => {
    made ??= { value: make() }
    return made.value
  }
  const set = (value: T) => {
    made = { value }
  }
  const reset = () => {
    const former = made?.value
    made = undefined
    return former
  }
  return Object.assign(get, { set, reset })
}
