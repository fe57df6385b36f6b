import { isRecord, recordsIn, type UnknownRecord } from '../../../server/kit/record'
import { readShown } from '../../../server/sandbox/player/shown'

/** The first list under a name in a value, however deep. */
function listIn(value: unknown, name: string): UnknownRecord[] | null {
  if (!isRecord(value)) return null
  if (Array.isArray(value[name])) return recordsIn(value[name])
  for (const child of Object.values(value)) {
    const found = listIn(child, name)
    if (found) return found
  }
  return null
}

/** The rows of a list that a result shows, complete or not. */
export function visibleRows(text: string, list = 'rows'): UnknownRecord[] {
  const value = readShown(text)
  return Array.isArray(value) ? recordsIn(value) : (listIn(value, list) ?? [])
}

/** The first value of a field that a result shows, a text or a number; null where there is none. */
export function visibleField(text: string, name: string): string | number | null {
  return fieldIn(readShown(text), name)
}

function fieldIn(value: unknown, name: string): string | number | null {
  if (typeof value !== 'object' || value === null) return null
  const own = (value as UnknownRecord)[name]
  if (typeof own === 'string' || typeof own === 'number') return own
  for (const child of Object.values(value)) {
    const found = fieldIn(child, name)
    if (found !== null) return found
  }
  return null
}
