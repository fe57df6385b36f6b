import type { PlayerAsk } from './ask'
import { failureOf, resultRows, resultValue, rowText, stepOfCall, wasRejected } from './result-value'
import type { ShownCall } from './shown-calls'
import { nameFrom } from './subject'

/** What is to be stored: results of steps, and the list of datasets that exist already. */
type ToStore = { about: string; results: readonly ShownCall[]; taken: ShownCall | null }

const MAX_TRIES = 20

/** Words of SQL, which no table may be called without quotes. */
const SQL_WORDS = new Set('table select order group index values where from all set join union rows'.split(' '))

/** A name that is not taken, and that queries take as it is. */
export function freeDatasetName(about: string, taken: ShownCall | null): string {
  const names = new Set(resultRows(taken).map((row) => rowText(row, 'name')))
  const base = nameFrom(about, '_', 48) || 'goal'
  const begin = /^[a-z]/.test(base) && !SQL_WORDS.has(base) ? base : `rows_${base}`
  const numbered = Array.from({ length: MAX_TRIES }, (_, i) => (i === 0 ? begin : `${begin}_${i + 1}`))
  return numbered.find((name) => !names.has(name)) ?? begin
}

/** Stores the rows of results as one dataset; a name of null comes with the reason. */
export function storeDataset(ask: PlayerAsk, { about, results, taken }: ToStore): { name: string | null; why: string } {
  const made = ask.view.calls.find((call) => call.name === 'dataset_create')
  // Once it is made, its name is in the list of a later look.
  const name = made ? rowText(made.args, 'name') : freeDatasetName(about, taken)
  const steps = results.map(stepOfCall)
  const given = steps.every((step) => step !== null)
    ? { fromStep: steps.length === 1 ? steps[0] : steps, path: 'rows' }
    : { rows: results.flatMap((call) => resultRows(call)) }
  const [call = null] = ask.all([{ name: 'dataset_create', args: { name, ...given } }])
  if (resultValue(call)) return { name, why: '' }
  const why = !call
    ? 'No dataset was made.'
    : wasRejected(call)
      ? 'You did not want a dataset, so none was made.'
      : `The rows could not be stored: ${failureOf(call)}`
  return { name: null, why }
}
