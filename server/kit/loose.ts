/** An object of which nothing is known: what came over a wire. */
export type Loose = Record<string, unknown>

export const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The objects of a list; none where there is no list. */
export const objectsIn = (value: unknown): Loose[] => (Array.isArray(value) ? value.filter(isObject) : [])
