/** A piece of a report, which becomes Markdown in an answer and HTML on a site. */
export type ReportBlock =
  | { kind: 'text'; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'chart'; chart: BarChart }
  | { kind: 'image'; url: string; alt: string }

/** Numbers of the same kind that are compared. */
export type BarChart = { type?: 'line'; title: string; unit?: string; rows: [label: string, value: number][] }

/** What one part of the play has found or made. Its texts may hold links and bold words. */
export type Chapter = {
  title: string
  /** The answer in a sentence. */
  lead: string
  blocks: ReportBlock[]
  /** What was not found or not done. */
  gaps: string[]
  /** What was taken for granted because nobody said so. */
  assumed: string[]
}

/** A chapter with what is given, and nothing else. */
export const makeChapter = (given: Partial<Chapter> & Pick<Chapter, 'title'>): Chapter => ({
  lead: '',
  blocks: [],
  gaps: [],
  assumed: [],
  ...given,
})

/** Chapters that say only what is missing. */
export const onlyGaps = (title: string, ...gaps: string[]): Chapter[] => [makeChapter({ title, gaps })]

export const textBlock = (text: string): ReportBlock => ({ kind: 'text', text })
export const listBlock = (items: string[]): ReportBlock => ({ kind: 'list', items })

/** Rows as a table: what its columns are called, and what each says of a row. */
export const tableOf = <T>(
  rows: readonly T[],
  ...columns: readonly (readonly [head: string, cell: (row: T) => string])[]
): ReportBlock => ({
  kind: 'table',
  head: columns.map(([head]) => head),
  rows: rows.map((row) => columns.map(([, cell]) => cell(row))),
})

/** A text in a line of Markdown: no line ends, and nothing that begins a link, a cell or a tag. */
export const plainLine = (text: string, maxChars = 240): string => {
  const line = text
    .replaceAll(/\s\|\s/g, ' – ')
    .replaceAll(/[[\]|`<>*#]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > maxChars
    ? `${line
        .slice(0, maxChars - 1)
        .toWellFormed()
        .trimEnd()}…`
    : line
}

/** A Markdown link; the text alone for an invalid URL. */
export function linkTo(text: string, url: string): string {
  const shown = plainLine(text, 120) || url
  return /^https?:\/\/[^\s()<>]+$/.test(url) ? `[${shown}](${url})` : shown
}

const grouped = (value: number, digits = 0) => value.toLocaleString('en-US', { maximumFractionDigits: digits })

/** A number for people: groups of three digits, and more digits where it is small. */
export const shownNumber = (value: number | null): string =>
  value === null ? '–' : grouped(value, Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 2 : 6)

/** An amount with its currency. */
export const shownAmount = (value: number | null, currency: string): string =>
  value === null
    ? '–'
    : `${{ usd: '$', eur: '€' }[currency] ?? ''}${shownNumber(value)}${currency === 'usd' || currency === 'eur' ? '' : ` ${currency.toUpperCase()}`}`
