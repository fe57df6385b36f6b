/** Texts, numbers and booleans of a record, without the date that is a field of the result. */
export function scalarsOf(record: Record<string, unknown>): Record<string, string | number | boolean> {
  const kept: Record<string, string | number | boolean> = {}
  for (const [name, value] of Object.entries(record)) {
    const isScalar = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
    if (isScalar && name !== 'modificationDate') kept[name] = value as string | number | boolean
  }
  return kept
}
