type Scalar = string | number | boolean | null
type Fields = Record<string, unknown>

/** A tool's result in the form in which it reads best. */
export type ResultShape =
  | { kind: 'text'; text: string; facts: [name: string, value: Scalar][] }
  | {
      kind: 'table'
      name: string
      columns: string[]
      rows: Fields[]
      facts: [name: string, value: Scalar][]
    }
  | { kind: 'facts'; facts: [name: string, value: Scalar][] }
  | { kind: 'json' }

/** Fields that hold what a tool read or wrote, as text. */
const TEXTS = ['markdown', 'text', 'content', 'answer', 'transcript']
const MAX_COLUMNS = 6
/** A value that fits a cell or a fact. */
const MAX_CELL_CHARS = 400

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'

const isShort = (value: unknown): value is Scalar =>
  isScalar(value) && (typeof value !== 'string' || value.length <= MAX_CELL_CHARS)

const isTable = (value: unknown): value is Fields[] => Array.isArray(value) && value.length > 0 && value.every(isFields)

/** The columns that most rows have with a plain value, in their order. */
function columnsOf(rows: readonly Fields[]): string[] {
  const counts = new Map<string, number>()
  for (const row of rows)
    for (const [name, value] of Object.entries(row))
      if (isScalar(value) && value !== null && value !== '') counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].flatMap(([name, count]) => (count * 2 >= rows.length ? [name] : [])).slice(0, MAX_COLUMNS)
}

/** How a tool's result is shown: a list as a table, a document as text, a few values by name. */
export function resultShape(output: unknown): ResultShape {
  if (typeof output === 'string') return { kind: 'text', text: output, facts: [] }
  const given = isTable(output) ? { rows: output } : output
  if (!isFields(given)) return { kind: 'json' }
  const entries = Object.entries(given)
  const factsBut = (name: string) =>
    entries.flatMap(([key, value]): [string, Scalar][] =>
      key !== name && isShort(value) && value !== null && value !== '' ? [[key, value]] : [],
    )
  const [name, rows] = entries.find(([, value]) => isTable(value)) ?? []
  if (name !== undefined && isTable(rows)) {
    const columns = columnsOf(rows)
    if (columns.length > 0) return { kind: 'table', name, columns, rows, facts: factsBut(name) }
  }
  if (given.encoding === 'base64') return { kind: 'json' }
  const text = TEXTS.find((field) => typeof given[field] === 'string' && given[field] !== '')
  if (text !== undefined) return { kind: 'text', text: String(given[text]), facts: factsBut(text) }
  return entries.length > 0 && entries.every(([, value]) => isShort(value))
    ? { kind: 'facts', facts: factsBut('') }
    : { kind: 'json' }
}
