/** An object of which nothing is known: what came over a wire. */
export type UnknownRecord = Record<string, unknown>

export const isRecord = (value: unknown): value is UnknownRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The objects of a list; none where there is no list. */
export const recordsIn = (value: unknown): UnknownRecord[] => (Array.isArray(value) ? value.filter(isRecord) : [])
