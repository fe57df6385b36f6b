import { isRecord } from '../../kit/record'
import { MAX_COLUMN_NAME_CHARS, MAX_DATASET_COLUMNS } from './limits'

/** Where the values of columns beyond the most that a dataset has are. */
const REST = 'more'
/** A number may follow. */
const MAX_BASE_CHARS = MAX_COLUMN_NAME_CHARS - 6

/**
 * Items of any kind as rows with valid column names: nobody chose these names, so they are changed
 * rather than refused. What is not an object is a row with the column `value`.
 */
export function rowsFromItems(items: readonly unknown[]): Record<string, unknown>[] {
  const objects = items.map((item): Record<string, unknown> => (isRecord(item) ? item : { value: item }))
  const names = columnNames(new Set(objects.flatMap((row) => Object.keys(row))))
  return objects.map((row) => {
    const entries = Object.entries(row)
    const rest = entries.filter(([key]) => !names.has(key))
    const own = entries.flatMap(([key, value]): [string, unknown][] => {
      const name = names.get(key)
      return name === undefined ? [] : [[name, value]]
    })
    return Object.fromEntries([...own, ...(rest.length > 0 ? [[REST, Object.fromEntries(rest)] as const] : [])])
  })
}

/** A column name for each key, distinct without regard to case. */
function columnNames(keys: ReadonlySet<string>): ReadonlyMap<string, string> {
  const hasRest = keys.size > MAX_DATASET_COLUMNS
  const taken = new Set(hasRest ? [REST] : [])
  const names = new Map<string, string>()
  for (const key of [...keys].slice(0, hasRest ? MAX_DATASET_COLUMNS - 1 : MAX_DATASET_COLUMNS)) {
    const base =
      key
        .toWellFormed()
        .replaceAll(/\p{Cc}/gu, ' ')
        .trim()
        .slice(0, MAX_BASE_CHARS) || 'column'
    let name = base
    for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${base}_${n}`
    taken.add(name.toLowerCase())
    names.set(key, name)
  }
  return names
}
