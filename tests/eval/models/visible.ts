import { isRecord, type UnknownRecord } from '../../../server/kit/record'

/** Where the JSON object that starts at `from` ends; -1 where the text was cut before. */
function endOfObject(text: string, from: number): number {
  let depth = 0
  let quoted = false
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (quoted) {
      if (char === '\\') at++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1
  }
  return -1
}

/**
 * The objects of a list that can be read in a text, complete or not: those of the list's beginning,
 * as a reader of a cut result sees them.
 */
export function visibleRows(text: string, list = 'rows'): UnknownRecord[] {
  const start = text.indexOf(`"${list}":[`)
  const rows: UnknownRecord[] = []
  let at = start < 0 ? text.search(/\[\s*\{/) + 1 : start + list.length + 4
  if (at === 0) return rows
  for (;;) {
    const gap = /^[\s,]*/.exec(text.slice(at, at + 20))?.[0].length ?? 0
    if (text[at + gap] !== '{') return rows
    const end = endOfObject(text, at + gap)
    if (end < 0) return rows
    try {
      const row: unknown = JSON.parse(text.slice(at + gap, end))
      if (isRecord(row)) rows.push(row)
    } catch {
      return rows
    }
    at = end
  }
}

/** The first value of a field that can be read in a text; null where there is none. */
export function visibleField(text: string, name: string): string | number | null {
  const found = new RegExp(`"${name}":\\s*("(?:[^"\\\\]|\\\\.)*"|-?[\\d.]+(?:e[+-]?\\d+)?)`).exec(text)?.[1]
  return found === undefined ? null : (JSON.parse(found) as string | number)
}
