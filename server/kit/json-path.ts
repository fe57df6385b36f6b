import { isRecord } from './record'

/** Where a value is in another one: keys and indexes from the outside in. */
export type JsonPath = readonly (string | number)[]

/** A path as people write it: `rows.17.title`; the empty text is the value itself. */
export const formatPath = (path: JsonPath): string => path.join('.')

/** The parts of `rows[17].title`, `rows.17.title` or `$.rows.17.title`. */
const partsOf = (path: string): string[] =>
  path
    .replace(/^\$\.?/, '')
    .replaceAll('[', '.')
    .replaceAll(']', '')
    .replaceAll(/["']/g, '')
    .split('.')
    .filter((part) => part !== '')

/** The value at a path as people write it; undefined: nothing is there. Keys may contain dots. */
export function valueAt(value: unknown, path: string): unknown {
  let here = value
  const parts = partsOf(path)
  for (let at = 0; at < parts.length; ) {
    const taken = keyAt(here, parts.slice(at))
    if (!taken) return undefined
    here = (here as Record<string, unknown>)[taken.key]
    at += taken.parts
  }
  return here
}

/** The longest key of a value that these parts begin with. */
function keyAt(value: unknown, parts: readonly string[]): { key: string; parts: number } | null {
  if (!Array.isArray(value) && !isRecord(value)) return null
  const [first = ''] = parts
  if (Array.isArray(value))
    return /^\d{1,9}$/.test(first) && Number(first) < value.length ? { key: first, parts: 1 } : null
  for (let length = parts.length; length > 0; length--) {
    const key = parts.slice(0, length).join('.')
    if (Object.hasOwn(value, key)) return { key, parts: length }
  }
  return null
}

type FoundList = { path: JsonPath; list: readonly unknown[] }

/** Records say more than texts beside them, such as the names of their columns. */
const isOfRecords = ({ list }: FoundList): boolean => list.some(isRecord)

const isLarger = (a: FoundList, b: FoundList): boolean =>
  isOfRecords(a) === isOfRecords(b) ? a.list.length > b.list.length : isOfRecords(a)

/**
 * The list that a value is about, not looking into lists: its `rows`, else the longest list of
 * records, else the longest; null: it has none.
 */
export function findMainList(value: unknown, path: JsonPath = []): FoundList | null {
  if (Array.isArray(value)) return { path, list: value }
  if (!isRecord(value)) return null
  if (Array.isArray(value.rows)) return { path: [...path, 'rows'], list: value.rows }
  const found = Object.entries(value).map(([key, child]) => findMainList(child, [...path, key]))
  return found.reduce((best, next) => (next && (!best || isLarger(next, best)) ? next : best), null)
}

const sizeOf = (value: unknown): number => JSON.stringify(value ?? null).length

/** The list or text that makes up most of a value; else the value itself. */
export function findMainPart(value: unknown, path: JsonPath = []): { path: JsonPath; value: unknown } {
  if (!isRecord(value)) return { path, value }
  const children = Object.entries(value).map(([key, child]) => ({ key, child, size: sizeOf(child) }))
  const largest = children.reduce((best, next) => (next.size > best.size ? next : best), {
    key: '',
    child: null as unknown,
    size: 0,
  })
  const total = children.reduce((sum, { size }) => sum + size, 0)
  return largest.size * 2 > total ? findMainPart(largest.child, [...path, largest.key]) : { path, value }
}
