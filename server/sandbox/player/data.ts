import { recordsIn, type UnknownRecord } from '../../kit/record'
import { freeStep, type PlannedStep, type PlayerAsk, type PlayerPart } from './ask'
import { failureOf, resultRows, resultValue, rowText, type ShownCall } from './calls'
import { type Chapter, fieldsTable, makeChapter, onlyGaps, withGaps } from './chapter'
import { datasetName } from './dataset'
import type { PlayerView } from './view'
import { findsRows, type Wish } from './wish'

const MAX_COLUMNS = 6

const wantsDatabase = ({ text }: Wish, { system }: PlayerView) =>
  /\b(database|postgres\w*)\b/i.test(text) && !system.includes('Connected database: none')

/** The lines of a goal that are CSV: at least three with as many commas as the first. */
function csvIn(text: string): string | null {
  const lines = text.split('\n').map((line) => line.trim())
  const commas = (line = '') => line.split(',').length - 1
  const start = lines.findIndex((line, i) => {
    const next = [lines[i + 1], lines[i + 2]]
    return commas(line) > 0 && next.every((one) => commas(one) === commas(line))
  })
  if (start < 0) return null
  const rest = lines.slice(start)
  const end = rest.findIndex((line) => commas(line) !== commas(rest[0]))
  return rest.slice(0, end < 0 ? rest.length : end).join('\n')
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
    blocks: calls.map((call) => resultRows(call).length > 0 && fieldsTable(resultRows(call), MAX_COLUMNS)),
    gaps: calls.map((call) => call?.failed && `A query failed: ${failureOf(call)}`),
  })
}

function databaseChapters(ask: PlayerAsk): Chapter[] {
  const sql = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1 LIMIT 20"
  const call = ask.one('sql_query', { sql })
  const rows = resultRows(call)
  const title = 'The connected database'
  const blocks = [fieldsTable(rows, MAX_COLUMNS)]
  if (rows.length > 0) return [makeChapter({ title, lead: 'These are its tables:', blocks })]
  const why = call?.failed
    ? `The database could not be read: ${failureOf(call)}`
    : 'The database has no tables to read.'
  return onlyGaps(title, why)
}

function madeFromCsv(ask: PlayerAsk, csv: string, { subject }: Wish, taken: ShownCall | null): UnknownRecord | string {
  const call = ask.one('dataset_create', { name: datasetName(ask, subject, taken), csv })
  const why = call ? failureOf(call) : 'no dataset was made.'
  return resultValue(call) ?? `The rows could not be stored: ${why}`
}

const plan = (wish: Wish, view: PlayerView): PlannedStep[] => {
  if (wish.topics.has('homes') || findsRows(wish)) return []
  if (wantsDatabase(wish, view)) return [freeStep('Look at the tables of the connected database', 'sql_query')]
  const create = freeStep('Store the rows of the goal as a dataset', 'dataset_create')
  return [
    ...(csvIn(wish.text) === null ? [] : [create]),
    freeStep('Look at the datasets and query them with SQL', 'dataset_list', 'dataset_query'),
  ]
}

function play(ask: PlayerAsk, wish: Wish): Chapter[] {
  // Beside other parts, the dataset is made of what they find.
  if (plan(wish, ask.view).length === 0) return []
  if (wantsDatabase(wish, ask.view)) return databaseChapters(ask)
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
  const guess = `The goal names no dataset, so I took ${rowText(dataset, 'name')}, one of ${datasets.length}.`
  const assumed = [!named && datasets.length > 1 && guess]
  return withGaps([datasetChapter(ask, dataset)], { title: 'Datasets', gaps: noDatabase, assumed })
}

/** The owner's datasets, rows that the goal gives, and the connected database. */
export const dataPart: PlayerPart = { topic: 'data', plan, play }
