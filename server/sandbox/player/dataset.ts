import { times } from '../kit/seed'
import { freeStep, type PlannedStep, type PlayerAsk } from './ask'
import { failureOf, resultRows, resultValue, rowShown, rowText, type ShownCall, stepOfCall, wasRejected } from './calls'
import { type Chapter, makeChapter, onlyGaps } from './chapter'
import { nameFrom } from './subject'
import { findsRows, isRefused, type Wish } from './wish'

/** What is to be stored: results of steps, and the list of datasets that exist already. */
type ToStore = { about: string; results: readonly ShownCall[]; taken: ShownCall | null }

const MAX_TRIES = 20

/** Words of SQL, which no table may be called without quotes. */
const SQL_WORDS = new Set('table select order group index values where from all set join union rows'.split(' '))

/** A name that is not taken, and that queries take as it is. */
export function datasetName({ view }: PlayerAsk, about: string, taken: ShownCall | null): string {
  const made = view.calls.find((call) => call.name === 'dataset_create')
  // Once it is made, its name is in the list of a later look.
  if (made) return rowText(made.args, 'name')
  const names = new Set(resultRows(taken).map((row) => rowText(row, 'name')))
  const base = nameFrom(about, '_', 48) || 'goal'
  const begin = /^[a-z]/.test(base) && !SQL_WORDS.has(base) ? base : `rows_${base}`
  const numbered = times(MAX_TRIES, (n) => (n === 0 ? begin : `${begin}_${n + 1}`))
  return numbered.find((name) => !names.has(name)) ?? begin
}

/** Stores the rows of results as one dataset; a name of null comes with the reason. */
export function storeDataset(ask: PlayerAsk, { about, results, taken }: ToStore): { name: string | null; why: string } {
  const name = datasetName(ask, about, taken)
  const steps = results.map(stepOfCall)
  const given = steps.every((step) => step !== null)
    ? { fromStep: steps.length === 1 ? steps[0] : steps, path: 'rows' }
    : { rows: results.flatMap((call) => resultRows(call)) }
  const call = ask.one('dataset_create', { name, ...given })
  if (resultValue(call)) return { name, why: '' }
  if (!call) return { name: null, why: 'No dataset was made.' }
  if (wasRejected(call)) return { name: null, why: 'You did not want a dataset, so none was made.' }
  return { name: null, why: `The rows could not be stored: ${failureOf(call)}` }
}

/** The goal wants what was found as rows to keep. */
const wantsRows = (wish: Wish, has: (tool: string) => boolean): boolean =>
  wish.topics.has('data') &&
  // Homes are stored by their own part.
  !wish.topics.has('homes') &&
  findsRows(wish) &&
  has('dataset_create') &&
  has('dataset_query') &&
  !isRefused(wish, /\b(datasets?|sql)\b/i)

/** What a plan says about it. */
export const savePlan = (wish: Wish, has: (tool: string) => boolean): PlannedStep[] =>
  wantsRows(wish, has)
    ? [freeStep('Keep the rows as a dataset and count them with SQL', 'dataset_create', 'dataset_query')]
    : []

const NOT_SOURCES = /^(dataset_|sql_|result_read)/

/** Stores the rows of the largest result of this turn as a dataset. */
export function playSave(ask: PlayerAsk, wish: Wish): Chapter[] {
  if (!wantsRows(wish, ask.has)) return []
  const title = 'The dataset'
  const largest = ask.view.calls
    .filter(({ name }) => !NOT_SOURCES.test(name))
    .sort((a, b) => resultRows(b).length - resultRows(a).length)[0]
  if (!largest || resultRows(largest).length === 0) return onlyGaps(title, 'There were no rows to store as a dataset.')
  const taken = ask.one('dataset_list', {})
  const { name, why } = storeDataset(ask, { about: wish.subject || largest.name, results: [largest], taken })
  if (name === null) return onlyGaps(title, why)
  const counted = ask.one('dataset_query', { sql: `SELECT COUNT(*) AS n FROM ${name}` })
  const count = rowShown(resultRows(counted)[0] ?? {}, 'n')
  const lead = `${count} rows of ${largest.name} are kept as the dataset \`${name}\`, to be queried with SQL and downloaded.`
  return [makeChapter({ title, lead })]
}
