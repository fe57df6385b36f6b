/** A plain value of a result. */
export type Scalar = string | number | boolean
type Fields = Record<string, unknown>

/** A list of a result. Names of nested fields are joined with a dot. */
export type ResultTable = { name: string; columns: string[]; rows: ReadonlyMap<string, Scalar>[] }

/** A tool's result in the form in which it reads best: null where only JSON does. */
export type ResultShape = {
  facts: [name: string, value: Scalar][]
  /** What a tool read or wrote, as Markdown. */
  text: string | null
  tables: ResultTable[]
  /** Its first field is no list. */
  areFactsFirst: boolean
} | null

/** Fields that hold what a tool read or wrote, as text. */
const TEXTS = ['markdown', 'text', 'content', 'answer', 'transcript']
/** How deep fields of fields are looked for. */
const MAX_DEPTH = 4
const MAX_FACTS = 60
const MAX_TABLES = 6
/** Rows that are looked at for their columns, which results of actors can have in thousands. */
const SAMPLED_ROWS = 200

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value !== '')

const isTable = (value: unknown): value is Fields[] => Array.isArray(value) && value.length > 0 && value.every(isFields)

/** A value as a cell shows it: a list of plain values in one line, one of things by its length. */
function cellOf(value: unknown): Scalar | null {
  if (isScalar(value)) return value
  if (!Array.isArray(value) || value.length === 0) return null
  if (value.every(isScalar)) return value.join(', ')
  return `${value.length} ${value.length === 1 ? 'item' : 'items'}`
}

/** The plain values of an object and of those inside, by their joined names. */
function flatten(given: Fields, prefix = '', depth = 1): [string, Scalar][] {
  return Object.entries(given).flatMap(([key, value]): [string, Scalar][] => {
    const name = `${prefix}${key}`
    if (isFields(value)) return depth < MAX_DEPTH ? flatten(value, `${name}.`, depth + 1) : []
    const cell = cellOf(value)
    return cell === null ? [] : [[name, cell]]
  })
}

/** The columns that have a value in most rows, then the others, each in their order. */
function columnsOf(rows: readonly ReadonlyMap<string, Scalar>[]): string[] {
  const counts = new Map<string, number>()
  for (const row of rows.slice(0, SAMPLED_ROWS))
    for (const name of row.keys()) counts.set(name, (counts.get(name) ?? 0) + 1)
  const isCommon = (name: string) => (counts.get(name) ?? 0) * 2 >= Math.min(rows.length, SAMPLED_ROWS)
  const names = [...counts.keys()]
  return [...names.filter(isCommon), ...names.filter((name) => !isCommon(name))]
}

function tableOf(name: string, list: readonly Fields[]): ResultTable {
  const rows = list.map((row) => new Map(flatten(row)))
  return { name, rows, columns: columnsOf(rows) }
}

/** The lists of objects in a result, by their joined names. */
function listsIn(given: Fields, prefix = '', depth = 1): [string, Fields[]][] {
  return Object.entries(given).flatMap(([key, value]): [string, Fields[]][] => {
    if (isTable(value)) return [[`${prefix}${key}`, value]]
    return isFields(value) && depth < MAX_DEPTH ? listsIn(value, `${prefix}${key}.`, depth + 1) : []
  })
}

/**
 * How a tool's result is shown: lists as tables, a document as text, all other values by name. It
 * follows from the result alone, so that it fits tools that are yet to be written.
 */
export function resultShape(output: unknown): ResultShape {
  if (typeof output === 'string')
    return output === '' ? null : { facts: [], text: output, tables: [], areFactsFirst: true }
  const given = isTable(output) ? { rows: output } : output
  if (!isFields(given) || given.encoding === 'base64') return null
  const lists = listsIn(given).slice(0, MAX_TABLES)
  const tables = lists.map(([name, rows]) => tableOf(name, rows)).filter(({ columns }) => columns.length > 0)
  const textName = TEXTS.find((name) => typeof given[name] === 'string' && given[name] !== '')
  const shown = new Set([textName, ...tables.map(({ name }) => name)])
  const facts = flatten(given)
    .filter(([name]) => !shown.has(name))
    .slice(0, MAX_FACTS)
  if (facts.length === 0 && textName === undefined && tables.length === 0) return null
  const areFactsFirst = !isTable(Object.values(given)[0])
  return { facts, text: textName === undefined ? null : String(given[textName]), tables, areFactsFirst }
}
