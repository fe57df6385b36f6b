/** A chart that an agent writes into its answer, as the JSON of a fenced block `chart`. */
export type ChartBlock = {
  type: 'bar' | 'line'
  title: string
  unit: string
  rows: { id: number; label: string; value: number }[]
}

const MAX_CHARS = 20_000
const MAX_ROWS = 100
const MAX_LABEL = 120

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isShort = (text: unknown): text is string => typeof text === 'string' && text.length <= MAX_LABEL

/** `[label, number]` as a row; null for anything else. */
function rowOf(row: unknown, id: number): ChartBlock['rows'][number] | null {
  if (!Array.isArray(row) || row.length !== 2) return null
  const [label, value]: unknown[] = row
  const name = typeof label === 'number' ? String(label) : label
  return isShort(name) && typeof value === 'number' && Number.isFinite(value) ? { id, label: name, value } : null
}

/** The chart in the text of a `chart` block; null while it is missing or incomplete. */
export function parseChart(text: string): ChartBlock | null {
  const given = text.length <= MAX_CHARS ? parseJson(text) : null
  if (typeof given !== 'object' || given === null) return null
  const { type, title, unit, rows } = given as Partial<Record<keyof ChartBlock, unknown>>
  if ((type !== 'bar' && type !== 'line') || !isShort(title) || !(unit === undefined || isShort(unit))) return null
  if (!Array.isArray(rows) || rows.length === 0 || rows.length > MAX_ROWS) return null
  const read = rows.map(rowOf).filter((row) => row !== null)
  return read.length === rows.length ? { type, title, unit: unit ?? '', rows: read } : null
}

/** A number as charts show it: thin spaces between thousands, and few decimals. */
export function formatValue(value: number): string {
  const size = Math.abs(value)
  const [whole = '', decimals] = size
    .toLocaleString('en-US', {
      useGrouping: false,
      ...(size > 0 && size < 1 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: size < 1_000 ? 2 : 0 }),
    })
    .split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u202f')
  return `${value < 0 ? '−' : ''}${grouped}${decimals ? `.${decimals}` : ''}`
}
