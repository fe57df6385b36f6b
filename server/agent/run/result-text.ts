import { formatPath, type JsonPath } from '../../kit/json-path'
import { isRecord, type UnknownRecord } from '../../kit/record'

/** A text with more characters than this has lines of its own. */
const LONG_TEXT = 300
/** A record with fewer characters than this stays a record, whatever is in it. */
const SMALL_RECORD = 200
/** Part of the rows that have a column's value: a column with fewer is written into its rows. */
const DENSE = 0.5
/** Names that can be a heading, and part of a column's name, without being mistaken. */
const PLAIN_KEY = /^[\w-]{1,60}$/
/** Stands for the whole result where a name would be. */
const ALL = '(all)'

/**
 * A value as a model reads it: one line of JSON with what is small, then each list as a table (a
 * heading with the names of the columns, a line of JSON for each row), then long texts as they are.
 *
 *     {"total":2}
 *     rows: ["title","price.amount","sold?"] defaults {"currency":"EUR"}
 *     ["Attic",1200,1,{"lift":3}]
 *     ["Cellar",300,0,{"currency":"USD"}]
 *     note, 5 characters:
 *     A
 *     b
 *
 * Values at a row's end may be missing; those that few rows have, or that differ from the default
 * of most, are in a record at its end. Columns with `?` are 1 for true and 0 for false. A record of
 * records is a table `by key`, whose first column is the key.
 */
export function resultText(value: unknown): string {
  if (typeof value === 'string') return value
  const sections: string[] = []
  const head = withoutSections(value, [], sections)
  const lines = head === undefined ? [] : [JSON.stringify(head)]
  return [...lines, ...sections].join('\n')
}

const sizeOf = (value: unknown): number => JSON.stringify(value ?? null).length

/** What is left of a value beside its tables and texts, which are added; undefined: nothing. */
function withoutSections(value: unknown, path: JsonPath, sections: string[]): unknown {
  const name = path.length > 0 ? formatPath(path) : ALL
  if (typeof value === 'string' && value.length > LONG_TEXT) return addSection(textSection(name, value))
  if (Array.isArray(value) && value.length > 1 && (value.some(isRecord) || sizeOf(value) > LONG_TEXT))
    return addSection(tableSection(name, value))
  if (!isRecord(value) || (path.length > 0 && sizeOf(value) <= SMALL_RECORD)) return value
  if (isTableByKey(value)) return addSection(tableByKey(name, value))
  const kept = Object.entries(value).flatMap(([key, child]): [string, unknown][] => {
    const rest = PLAIN_KEY.test(key) ? withoutSections(child, [...path, key], sections) : child
    return rest === undefined ? [] : [[key, rest]]
  })
  return kept.length > 0 || sections.length === 0 ? Object.fromEntries(kept) : undefined

  function addSection(text: string): undefined {
    sections.push(text)
  }
}

const textSection = (name: string, text: string) => `${name}, ${text.length} characters:\n${text}`

function isTableByKey(value: UnknownRecord): boolean {
  const children = Object.values(value)
  return children.length > 3 && children.every((child) => isRecord(child) && sizeOf(child) < 1_000)
}

const tableByKey = (name: string, value: UnknownRecord): string =>
  table(
    `${name} by key`,
    Object.entries(value).map(([key, child]) => new Map([['key', key as unknown], ...flat(child as UnknownRecord)])),
  )

function tableSection(name: string, list: readonly unknown[]): string {
  if (!list.every(isRecord)) return [`${name}: []`, ...list.map((item) => JSON.stringify([item]))].join('\n')
  return table(
    name,
    list.map((row) => new Map(flat(row))),
  )
}

/** A row's values by the names of their columns, records in it opened: `price.amount`. */
function flat(row: UnknownRecord, before = ''): [string, unknown][] {
  return Object.entries(row).flatMap(([key, child]): [string, unknown][] =>
    isRecord(child) && PLAIN_KEY.test(key) && Object.keys(child).length > 0
      ? flat(child, `${before}${key}.`)
      : [[before + key, child]],
  )
}

type Row = ReadonlyMap<string, unknown>

function table(name: string, rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))].map((column) => columnOf(rows, column))
  const all = columns.filter(({ usual }) => usual !== undefined)
  // A table needs a column of its own.
  const usual = all.length < columns.length ? all : []
  const rest = columns.filter((column) => !usual.includes(column))
  const dense = rest.filter(({ filled }) => filled >= rows.length * DENSE)
  const more = columns.filter((column) => !dense.includes(column))
  const defaults = Object.fromEntries(usual.map((column) => [column.name, column.usual]))
  const names = JSON.stringify(dense.map((column) => column.name + (column.isFlag ? '?' : '')))
  const heading = `${name}: ${names}${usual.length > 0 ? ` defaults ${JSON.stringify(defaults)}` : ''}`
  return [heading, ...rows.map((row) => rowLine(row, dense, { more, defaults }))].join('\n')
}

/** Part of a table's rows with one and the same value, from which on it is said once. */
const USUAL = 0.8

type Column = { name: string; filled: number; isFlag: boolean; usual: unknown }

function columnOf(rows: readonly Row[], name: string): Column {
  const times = new Map<string, number>()
  let filled = 0
  let isFlag = true
  for (const row of rows) {
    const value = row.get(name)
    if (value === undefined) continue
    filled++
    isFlag &&= typeof value === 'boolean'
    const text = sizeOf(value) > LONG_TEXT ? String(filled) : JSON.stringify(value)
    times.set(text, (times.get(text) ?? 0) + 1)
  }
  const [text = 'null', count = 0] = [...times].reduce((most, next) => (next[1] > most[1] ? next : most), ['null', 0])
  const hasUsual = filled === rows.length && rows.length > 2 && count >= rows.length * USUAL && text.length <= LONG_TEXT
  return { name, filled, isFlag, usual: hasUsual ? JSON.parse(text) : undefined }
}

type RestOfRow = { more: readonly Column[]; defaults: UnknownRecord }

function rowLine(row: Row, dense: readonly Column[], { more, defaults }: RestOfRow): string {
  const cells = dense.map(({ name, isFlag }) => {
    const value = row.get(name)
    return isFlag && value !== undefined ? Number(value) : (value ?? null)
  })
  const other = more.flatMap(({ name }): [string, unknown][] => {
    const value = row.get(name)
    const isSaid = value === undefined || (name in defaults && JSON.stringify(value) === JSON.stringify(defaults[name]))
    return isSaid ? [] : [[name, value]]
  })
  if (other.length > 0) return JSON.stringify([...cells, Object.fromEntries(other)])
  while (cells.length > 0 && cells.at(-1) === null) cells.pop()
  return JSON.stringify(cells)
}
