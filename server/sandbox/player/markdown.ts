import { type BarChart, plainLine, type ReportBlock } from './chapter'
import { contentWordsOf } from './subject'

const MIN_CHARS = 40
const MAX_CHARS = 320
/** Sentences of a page about itself. */
const META = /^(This (page|overview|guide|article)|These|Here|Readers|We) /

/** The sentences of a Markdown text, without headings, lists of links, tables and code. */
function sentencesIn(markdown: string): string[] {
  return markdown
    .split('\n')
    .filter((line) => !/^\s*(#|\||!|```|\[|[-*] \[)/.test(line))
    .map((line) => line.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1').replace(/^\s*(?:[-*>]|\d+\.)\s+/, ''))
    .flatMap((line) => line.split(/(?<=[.!?])\s+(?=[\p{Lu}\d"“])/u))
    .map((sentence) => plainLine(sentence, MAX_CHARS + 1))
    .filter((sentence) => sentence.length >= MIN_CHARS && sentence.length <= MAX_CHARS && /[.!”"]$/.test(sentence))
}

/** The sentences of a text that say most about a subject: its words, and numbers. */
export function bestSentences(markdown: string, subject: string, count: number): string[] {
  const words = contentWordsOf(subject).map((word) => word.toLowerCase())
  const scored = [...new Set(sentencesIn(markdown))].map((sentence, at) => {
    const lower = sentence.toLowerCase()
    const hits = words.filter((word) => lower.includes(word)).length
    return { sentence, at, score: hits * 2 - (META.test(sentence) ? 5 : 0) + (/\d/.test(sentence) ? 3 : 0) - at * 0.05 }
  })
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
    .sort((a, b) => a.at - b.at)
    .map(({ sentence }) => sentence)
}

const MAX_ROWS = 8
const MAX_COLUMNS = 5

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .slice(1, -1)
    .split('|')
    .map((cell) => plainLine(cell.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1'), 60))

const isRow = (line: string | undefined) => /^\s*\|.*\|\s*$/.test(line ?? '')
const isRule = (line: string | undefined) => /^\s*\|[\s|:-]+\|\s*$/.test(line ?? '')

/** The first table of a Markdown text; null: it has none. */
export function tableIn(markdown: string): Extract<ReportBlock, { kind: 'table' }> | null {
  const lines = markdown.split('\n')
  const at = lines.findIndex((line, i) => isRow(line) && isRule(lines[i + 1]))
  if (at < 0) return null
  const head = cellsOf(lines[at] ?? '').slice(0, MAX_COLUMNS)
  const rest = lines.slice(at + 2)
  const end = rest.findIndex((line) => !isRow(line))
  const rows = rest
    .slice(0, end < 0 ? rest.length : end)
    .slice(0, MAX_ROWS)
    .map((line) => cellsOf(line).slice(0, head.length))
    .filter((row) => row.length === head.length)
  return rows.length > 0 && head.length > 1 ? { kind: 'table', head, rows } : null
}

/** A number as pages write it: 7,941 or 12.5. Null: it is something else. */
function numberIn(text: string): number | null {
  const found = /^[€$£]?\s?(-?\d[\d,]*(?:\.\d+)?)\s?(?:%|percent|€|km|m)?$/i.exec(text.trim())?.[1]
  return found === undefined ? null : Number(found.replaceAll(',', ''))
}

/** The first column of numbers of a table as a chart; null: it has none, or too few rows. */
export function chartOfTable({ head, rows }: { head: string[]; rows: string[][] }, title: string): BarChart | null {
  const column = head.findIndex((_, i) => i > 0 && rows.every((row) => numberIn(row[i] ?? '') !== null))
  if (column < 0 || rows.length < 3) return null
  const labels = rows.map((row) => row[0] ?? '')
  const isYears = labels.every((label) => /^(1[89]|20)\d\d$/.test(label))
  return {
    ...(isYears && { type: 'line' }),
    title: `${head[column]}: ${title}`,
    rows: rows.map((row, i) => [labels[i] ?? '', numberIn(row[column] ?? '') ?? 0]),
  }
}
