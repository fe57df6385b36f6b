/** The JSON of values that never change and are part of many bodies, by the value. */
const kept = new WeakMap<object, Buffer>()

/**
 * Keeps the JSON of a value that never changes again, for every body of `jsonBytes` that has it as
 * a field. Returns the value.
 */
export function keepJson<T extends object>(value: T): T {
  kept.set(value, Buffer.from(JSON.stringify(value)))
  return value
}

/** A body as bytes of JSON. Fields whose JSON is kept come last. */
export function jsonBytes(body: Record<string, unknown>): Buffer {
  const known = Object.entries(body).flatMap(([name, value]) => {
    const bytes = typeof value === 'object' && value !== null ? kept.get(value) : undefined
    return bytes ? [{ name, bytes }] : []
  })
  if (known.length === 0) return Buffer.from(JSON.stringify(body))
  const rest = JSON.stringify({ ...body, ...Object.fromEntries(known.map(({ name }) => [name, undefined])) })
  const pieces = known.flatMap(({ name, bytes }, i) => {
    const comma = i > 0 || rest !== '{}' ? ',' : ''
    return [Buffer.from(`${comma}${JSON.stringify(name)}:`), bytes]
  })
  return Buffer.concat([Buffer.from(rest.slice(0, -1)), ...pieces, Buffer.from('}')])
}
