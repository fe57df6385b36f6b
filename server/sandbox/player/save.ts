import type { PlayerAsk, WantedCall } from './ask'
import { type Chapter, makeChapter, shownNumber } from './chapter'
import { storeDataset } from './dataset'
import type { PlannedStep } from './part'
import { resultRows, rowNumber } from './result-value'
import { isRefused, type Wish } from './wish'

/** The goal wants what was found as rows to keep. */
const wantsRows = (wish: Wish, has: (tool: string) => boolean): boolean =>
  wish.topics.has('data') &&
  // Homes are stored by their own part.
  !wish.topics.has('homes') &&
  (['coins', 'social', 'research', 'scrape'] as const).some((topic) => wish.topics.has(topic)) &&
  has('dataset_create') &&
  has('dataset_query') &&
  !isRefused(wish, /\b(datasets?|sql)\b/i)

/** What a plan says about it. */
export const savePlan = (wish: Wish, has: (tool: string) => boolean): PlannedStep[] =>
  wantsRows(wish, has)
    ? [
        {
          title: 'Keep the rows as a dataset and count them with SQL',
          tools: ['dataset_create', 'dataset_query'],
          credits: 0,
        },
      ]
    : []

const LIST: WantedCall = { name: 'dataset_list', args: {} }
const NOT_SOURCES = /^(dataset_|sql_|result_read)/

/** Stores the rows of the largest result of this turn as a dataset. */
export function playSave(ask: PlayerAsk, wish: Wish): Chapter[] {
  if (!wantsRows(wish, ask.has)) return []
  const title = 'The dataset'
  const largest = ask.view.calls
    .filter(({ name }) => !NOT_SOURCES.test(name))
    .sort((a, b) => resultRows(b).length - resultRows(a).length)[0]
  if (!largest || resultRows(largest).length === 0)
    return [makeChapter({ title, gaps: ['There were no rows to store as a dataset.'] })]
  const [taken = null] = ask.all([LIST])
  const { name, why } = storeDataset(ask, { about: wish.subject || largest.name, results: [largest], taken })
  if (name === null) return [makeChapter({ title, gaps: [why] })]
  const [counted = null] = ask.all([{ name: 'dataset_query', args: { sql: `SELECT COUNT(*) AS n FROM ${name}` } }])
  const count = rowNumber(resultRows(counted)[0] ?? {}, 'n')
  return [
    makeChapter({
      title,
      lead: `${shownNumber(count)} rows of ${largest.name} are kept as the dataset \`${name}\`, to be queried with SQL and downloaded.`,
    }),
  ]
}
