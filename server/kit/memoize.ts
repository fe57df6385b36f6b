/** A function of objects that never change, computed once for each of them while it lives. */
export function memoize<T extends object, R>(make: (of: T) => R): (of: T) => R {
  const known = new WeakMap<T, { value: R }>()
  return (of) => {
    const found = known.get(of) ?? { value: make(of) }
    known.set(of, found)
    return found.value
  }
}
