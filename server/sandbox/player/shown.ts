import { isRecord, type UnknownRecord } from '../../kit/record'
import { parseJson } from '../kit/text'

const TABLE = /^([\w.()-]+)( by key)?: (\[.*\])$/
const TEXT = /^([\w.()-]+), (\d+) characters:$/
const DEFAULTS = '] defaults {'

/** A table's heading without the values that its rows have where a cell says nothing, and these. */
function splitHeading(line: string): [heading: string, same: string] {
  const at = line.endsWith('}') ? line.indexOf(DEFAULTS) : -1
  return at < 0 ? [line, '{}'] : [line.slice(0, at + 1), line.slice(at + DEFAULTS.length - 1)]
}

/** Puts a value at a path such as `page.rows`, into what is there. */
function put(into: UnknownRecord, path: string, value: unknown): void {
  const keys = path.split('.')
  let here = into
  for (const key of keys.slice(0, -1)) {
    if (!isRecord(here[key])) here[key] = {}
    here = here[key] as UnknownRecord
  }
  here[keys.at(-1) ?? ''] = value
}

/** Reads a table's rows from the line after its heading on. */
function readRows(lines: readonly string[], from: number, columns: readonly string[], all: UnknownRecord) {
  const rows: unknown[] = []
  let at = from
  for (; at < lines.length; at++) {
    const cells = lines[at]?.startsWith('[') ? parseJson(lines[at] ?? '') : undefined
    if (!Array.isArray(cells)) break
    const isBare = columns.length === 0 && Object.keys(all).length === 0 && cells.length === 1
    rows.push(isBare ? cells[0] : rowOf(cells, columns, all))
  }
  return { rows, next: at }
}

function rowOf(cells: readonly unknown[], columns: readonly string[], all: UnknownRecord): UnknownRecord {
  const row: UnknownRecord = {}
  const more = cells.length > columns.length && isRecord(cells.at(-1)) ? (cells.at(-1) as UnknownRecord) : {}
  for (const [i, column] of columns.entries()) {
    if (cells[i] == null) continue
    if (column.endsWith('?')) put(row, column.slice(0, -1), cells[i] === 1)
    else put(row, column, cells[i])
  }
  for (const [column, value] of [...Object.entries(all), ...Object.entries(more)]) put(row, column, value)
  return row
}

const keyed = (rows: readonly unknown[]): UnknownRecord =>
  Object.fromEntries(rows.filter(isRecord).map(({ key, ...row }) => [String(key), row]))

/** A result as an agent's model is shown it, read as a value; null: it is only a text. */
export function readShown(text: string): UnknownRecord | unknown[] | null {
  const lines = text.split('\n')
  let value: UnknownRecord | unknown[] = {}
  let found = false
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    const [heading, same] = splitHeading(line)
    const [, name = '', byKey, columns = ''] = TABLE.exec(heading) ?? []
    const names = parseJson(columns)
    const head = line.startsWith('{') ? parseJson(line) : undefined
    const [, textName = '', length = ''] = TEXT.exec(line) ?? []
    if (Array.isArray(names)) {
      const { rows, next } = readRows(lines, at + 1, names, parseJson(same) as UnknownRecord)
      const list = byKey ? keyed(rows) : rows
      if (name === '(all)') value = list
      else put(value as UnknownRecord, name, list)
      at = next
    } else if (textName !== '') {
      const rest = lines.slice(at + 1).join('\n')
      put(value as UnknownRecord, textName, rest.slice(0, Number(length)))
      at += 1 + rest.slice(0, Number(length)).split('\n').length
    } else {
      if (isRecord(head) && !found) value = { ...head, ...(value as UnknownRecord) }
      at++
      if (!isRecord(head)) continue
    }
    found = true
  }
  return found ? value : null
}
