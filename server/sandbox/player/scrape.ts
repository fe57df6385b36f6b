import { isRecord, type UnknownRecord } from '../../kit/record'
import { sampleOfSchema } from '../script/schema-sample'
import { freeStep, type PlannedStep, type PlayerAsk, type PlayerPart } from './ask'
import { failureOf, fieldsIn, resultRows, resultValue, rowLink, rowNumber, rowText } from './calls'
import { type Chapter, fieldsTable, makeChapter, onlyGaps, plainLine, shownNumber } from './chapter'
import { type PlayerView, priceIn } from './view'
import type { Wish } from './wish'

const RUN = 'marketplace_run_actor'
const ITEMS = 10
/** What ten items of an ordinary actor cost, in credits. */
const RUN_ESTIMATE = 60

const plan = ({ subject }: Wish, view: PlayerView): PlannedStep[] => [
  freeStep(`Find an actor that collects ${subject}`, 'marketplace_search_actors', 'marketplace_actor_details'),
  { title: `Run it for ${ITEMS} items`, tools: [RUN], credits: priceIn(view, RUN) ?? RUN_ESTIMATE },
]

/** The example input of an actor, with the subject where it takes words to search for. */
function inputFor(actor: UnknownRecord, subject: string): UnknownRecord {
  const sample = isRecord(actor.exampleInput) ? actor.exampleInput : sampleOfSchema(actor.inputSchema ?? {}, subject)
  const filled = (name: string, value: unknown) => {
    if (!/quer|search|keyword|term/i.test(name)) return value
    if (Array.isArray(value)) return value.every((item) => typeof item === 'string') ? [subject] : value
    return typeof value === 'string' ? subject : value
  }
  return Object.fromEntries(Object.entries(fieldsIn(sample)).map(([name, value]) => [name, filled(name, value)]))
}

function play(ask: PlayerAsk, { subject }: Wish): Chapter[] {
  const title = 'Collected by an actor'
  const search = ask.one('marketplace_search_actors', { query: subject || 'places', limit: 5 })
  const [first] = resultRows(search)
  if (!first) return onlyGaps(title, search?.failed ? failureOf(search) : `No actor was found for ${subject}.`)
  const actorId = rowText(first, 'actorId')
  const actor = resultValue(ask.one('marketplace_actor_details', { actorId }))
  if (!actor) return onlyGaps(title, `The actor ${plainLine(actorId)} could not be looked up.`)
  const run = ask.one(RUN, { actorId, input: inputFor(actor, subject), maxItems: ITEMS })
  const rows = resultRows(run)
  const name = rowLink(actor, actorId)
  if (rows.length === 0)
    return onlyGaps(title, `The actor ${name} brought nothing${run?.failed ? `: ${failureOf(run)}` : '.'}`)
  const total = rowNumber(resultValue(run) ?? {}, 'totalRows') ?? rows.length
  const lead = `The actor ${name} collected **${shownNumber(total)} items**.`
  return [makeChapter({ title, lead, blocks: [fieldsTable(rows, 5)] })]
}

/** An actor of the marketplace: found, looked at, and run for a few items. */
export const scrapePart: PlayerPart = {
  topic: 'scrape',
  plan,
  question: ({ subject }) => (subject === '' ? 'What should be collected?' : null),
  play,
}
