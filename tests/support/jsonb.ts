/** A value as jsonb gives it back: keys by their length, then by their bytes. */
export function fromJsonb(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromJsonb)
  if (typeof value !== 'object' || value === null) return value
  const keys = Object.keys(value).sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  return Object.fromEntries(keys.map((key) => [key, fromJsonb((value as Record<string, unknown>)[key])]))
}
