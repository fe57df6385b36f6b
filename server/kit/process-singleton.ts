/**
 * One value per process, whichever copy of the module asks: Next's bundle is a second copy of ours in the same process,
 * and pools, batchers and caches must not exist twice.
 */
export function processSingleton<T>(name: string, make: () => T): T {
  const key = Symbol.for(`tollgate.${name}`)
  const store = globalThis as unknown as Record<symbol, T | undefined>
  const known = store[key]
  if (known !== undefined) return known
  const made = make()
  store[key] = made
  return made
}

/** Takes a process's one value away; the next `once` makes a new one. */
export function removeSingleton<T>(name: string): T | undefined {
  const key = Symbol.for(`tollgate.${name}`)
  const store = globalThis as unknown as Record<symbol, T | undefined>
  const known = store[key]
  Reflect.deleteProperty(store, key)
  return known
}
