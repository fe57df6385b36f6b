import type { UnknownRecord } from '../../kit/record'

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

/** What may be left out of a list where it is written. */
type Optional<T> = T | false | '' | null | undefined

type Given = { title: string; lead?: string } & {
  [list in 'blocks' | 'gaps' | 'assumed']?: readonly Optional<Chapter[list][number]>[]
}

const present = <T>(list: readonly Optional<T>[]): T[] => list.filter((item): item is T => !!item)

/** A chapter with what is given, and nothing else. */
export const makeChapter = ({ title, lead = '', blocks = [], gaps = [], assumed = [] }: Given): Chapter => ({
  title,
  lead,
  blocks: present(blocks),
  gaps: present(gaps),
  assumed: present(assumed),
})

/** Chapters that say only what is missing. */
export const onlyGaps = (title: string, ...gaps: string[]): Chapter[] => [makeChapter({ title, gaps })]

type Missing = { title: string; gaps: Given['gaps']; assumed?: Given['assumed'] }

/** The chapters, the first of which also says what is missing; else one that says only that. */
export function withGaps(chapters: readonly Chapter[], { title, gaps = [], assumed = [] }: Missing): Chapter[] {
  const [first = makeChapter({ title }), ...more] = chapters
  return [makeChapter({ ...first, gaps: [...first.gaps, ...gaps], assumed: [...first.assumed, ...assumed] }), ...more]
}

/** Chapters that have more to show than what is missing. */
export const withContent = (chapters: readonly Chapter[]): Chapter[] =>
  chapters.filter(({ lead, blocks }) => lead !== '' || blocks.length > 0)

export const textBlock = (text: string): ReportBlock => ({ kind: 'text', text })
export const listBlock = (items: string[]): ReportBlock => ({ kind: 'list', items })
export const chartBlock = (chart: BarChart): ReportBlock => ({ kind: 'chart', chart })

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
  if (line.length <= maxChars) return line
  return `${line
    .slice(0, maxChars - 1)
    .toWellFormed()
    .trimEnd()}…`
}

/** A Markdown link; the text alone for an invalid URL. */
export function linkTo(text: string, url: string): string {
  const shown = plainLine(text, 120) || url
  return /^https?:\/\/[^\s()<>]+$/.test(url) ? `[${shown}](${url})` : shown
}

/** A number for people: groups of three digits, and more digits where it is small. */
export function shownNumber(value: number | null): string {
  if (value === null) return '–'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 2 : 6
  return value.toLocaleString('en-US', { maximumFractionDigits: digits })
}

const SIGNS: Record<string, string> = { usd: '$', eur: '€' }

/** An amount with its currency. */
export function shownAmount(value: number | null, currency: string): string {
  if (value === null) return '–'
  const sign = SIGNS[currency]
  return sign ? `${sign}${shownNumber(value)}` : `${shownNumber(value)} ${currency.toUpperCase()}`
}

const shownValue = (value: unknown): string => {
  if (typeof value === 'number') return shownNumber(value)
  if (/^https?:\/\//.test(String(value))) return linkTo('link', String(value))
  return plainLine(typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '–'), 60)
}

/** The first ten rows as a table, with as many of their fields. */
export function fieldsTable(rows: readonly UnknownRecord[], maxColumns: number): ReportBlock {
  const head = Object.keys(rows[0] ?? {}).slice(0, maxColumns)
  return { kind: 'table', head, rows: rows.slice(0, 10).map((row) => head.map((name) => shownValue(row[name]))) }
}
