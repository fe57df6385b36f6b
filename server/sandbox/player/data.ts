import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'
import { freeStep, type PlannedStep, type PlayerAsk, type PlayerPart } from './ask'
import { failureOf, resultRows, resultValue, rowText, type ShownCall } from './calls'
import { type Chapter, makeChapter, onlyGaps, plainLine, type ReportBlock, shownNumber } from './chapter'
import { freeDatasetName } from './dataset'
import type { PlayerView } from './view'
import type { Wish } from './wish'

const MAX_COLUMNS = 6

const wantsDatabase = ({ text }: Wish, { system }: PlayerView) =>
  /\b(database|postgres\w*)\b/i.test(text) && !system.includes('Connected database: none')

/** The lines of a goal that are CSV: at least three with as many commas as the first. */
function csvIn(text: string): string | null {
  const lines = text.split('\n').map((line) => line.trim())
  const commas = (line: string) => line.split(',').length - 1
  const start = lines.findIndex(
    (line, i) =>
      commas(line) > 0 && commas(lines[i + 1] ?? '') === commas(line) && commas(lines[i + 2] ?? '') === commas(line),
  )
  if (start < 0) return null
  const rest = lines.slice(start)
  const end = rest.findIndex((line) => commas(line) !== commas(rest[0] ?? ''))
  return rest.slice(0, end < 0 ? rest.length : end).join('\n')
}

/** Rows as a table. */
function rowsBlock(rows: readonly UnknownRecord[]): ReportBlock {
  const head = Object.keys(rows[0] ?? {}).slice(0, MAX_COLUMNS)
  const shown = (value: unknown) =>
    typeof value === 'number' ? shownNumber(value) : plainLine(String(value ?? '–'), 60)
  return { kind: 'table', head, rows: rows.slice(0, 10).map((row) => head.map((name) => shown(row[name]))) }
}

const numeric = (dataset: UnknownRecord) =>
  recordsIn(dataset.columns)
    .filter(({ type }) => type === 'number' || type === 'integer')
    .map((column) => rowText(column, 'name'))
    .slice(0, 4)
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** What one dataset holds: how many rows, averages of its numbers, and its first rows. */
function datasetChapter(ask: PlayerAsk, dataset: UnknownRecord): Chapter {
  const name = rowText(dataset, 'name')
  const sums = numeric(dataset).map((column) => `ROUND(AVG(${quoted(column)}), 2) AS ${quoted(`average ${column}`)}`)
  const calls = ask.all([
    { name: 'dataset_query', args: { sql: `SELECT ${['COUNT(*) AS "rows"', ...sums].join(', ')} FROM ${name}` } },
    { name: 'dataset_query', args: { sql: `SELECT * FROM ${name} LIMIT 5` } },
  ])
  return makeChapter({
    title: `The dataset ${name}`,
    lead: `It is queried with SQL: ${calls[0] ? `\`${rowText(calls[0].args, 'sql')}\`` : 'not this time'}.`,
    blocks: calls.flatMap((call) => (resultRows(call).length > 0 ? [rowsBlock(resultRows(call))] : [])),
    gaps: calls.flatMap((call) => (call?.failed ? [`A query failed: ${failureOf(call)}`] : [])),
  })
}

function databaseChapter(ask: PlayerAsk): Chapter {
  const sql = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1 LIMIT 20"
  const call = ask.one('sql_query', { sql })
  const rows = resultRows(call)
  const title = 'The connected database'
  if (rows.length > 0) return makeChapter({ title, lead: 'These are its tables:', blocks: [rowsBlock(rows)] })
  const gap = call?.failed
    ? `The database could not be read: ${failureOf(call)}`
    : 'The database has no tables to read.'
  return makeChapter({ title, gaps: [gap] })
}

function madeFromCsv(ask: PlayerAsk, csv: string, { subject }: Wish, taken: ShownCall | null): UnknownRecord | string {
  const made = ask.view.calls.find(({ name }) => name === 'dataset_create')
  const name = made ? rowText(made.args, 'name') : freeDatasetName(subject, taken)
  const call = ask.one('dataset_create', { name, csv })
  const value = resultValue(call)
  return isRecord(value) ? value : `The rows could not be stored: ${call ? failureOf(call) : 'no dataset was made.'}`
}

const plan = (wish: Wish, view: PlayerView): PlannedStep[] => {
  if (['coins', 'social', 'research', 'scrape', 'homes'].some((topic) => wish.topics.has(topic as 'coins'))) return []
  if (wantsDatabase(wish, view)) return [freeStep('Look at the tables of the connected database', 'sql_query')]
  const create =
    csvIn(wish.text) === null ? [] : [freeStep('Store the rows of the goal as a dataset', 'dataset_create')]
  return [...create, freeStep('Look at the datasets and query them with SQL', 'dataset_list', 'dataset_query')]
}

function play(ask: PlayerAsk, wish: Wish): Chapter[] {
  // Beside other parts, the dataset is made of what they find.
  if (plan(wish, ask.view).length === 0) return []
  if (wantsDatabase(wish, ask.view)) return [databaseChapter(ask)]
  const noDatabase = /\bdatabase\b/i.test(wish.text) ? ['No database is connected: Settings takes its address.'] : []
  const listed = ask.one('dataset_list', {})
  const csv = csvIn(wish.text)
  if (csv !== null) {
    const made = madeFromCsv(ask, csv, wish, listed)
    return typeof made === 'string' ? onlyGaps('The rows', made) : [datasetChapter(ask, made)]
  }
  const datasets = resultRows(listed)
  const named = datasets.find((row) => wish.text.includes(rowText(row, 'name')))
  const dataset = named ?? datasets[0]
  if (!dataset) {
    const none = 'You have no datasets yet: a goal that finds rows can store them as one.'
    return onlyGaps('Datasets', ...noDatabase, listed?.failed ? failureOf(listed) : none)
  }
  const chapter = datasetChapter(ask, dataset)
  const guess = `The goal names no dataset, so I took ${rowText(dataset, 'name')}, one of ${datasets.length}.`
  const assumed = named || datasets.length === 1 ? [] : [guess]
  return [{ ...chapter, gaps: [...chapter.gaps, ...noDatabase], assumed }]
}

/** The owner's datasets, rows that the goal gives, and the connected database. */
export const dataPart: PlayerPart = { topic: 'data', plan, play }
