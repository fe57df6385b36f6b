import { drawFrom } from '../kit/seed'
import { sentenceCase } from '../kit/text'
import { daysAgo, isoTime } from '../kit/time'
import { pagePath } from '../pages/address'
import { outletOf, personOf } from '../prose/names'
import type { TextKind } from '../prose/phrasebook'
import { fillSlots, sentencesAbout, titleAbout } from '../prose/text'
import { topicOf } from '../prose/topic'
import tables from './trades.json'

/** How a field of an item is made; the draws are named after the field. */
type FieldSpec = {
  int?: [number, number]
  pick?: string
  chance?: number
  /** A number below this, small ones more often. */
  skewed?: number
  /** Another field, or `usual`, times something between two factors. */
  from?: string
  factor?: [number, number]
  times?: number
  plus?: number
  step?: number
  daysAgo?: number
  page?: TextKind
  about?: string
  title?: TextKind
  /** So many words of the subject. */
  words?: number
  /** How many words another field has. */
  countOf?: string
  place?: true
}

/** What actors of a kind take and find, as the data file has it. */
export type Trade = {
  name: string
  words: string
  categories: string
  endings: string
  about: string
  search: { field: string; title: string }
  limit: string
  place?: string
  item: Record<string, string | FieldSpec>
}

/** Kinds of actors; of two that fit a search, the first is meant. */
export const TRADES = tables.trades as unknown as readonly Trade[]

/** One item that an actor finds: what it was asked about, where, and which one it is. */
export type ItemRequest = { subject: string; place: string; seed: string; origin: string }

const familyOf = (seed: string) => personOf(seed).name.split(' ').at(-1) ?? ''

/** What texts of the data file may name. */
function slotsOf({ subject, seed }: ItemRequest): Record<string, string> {
  const draw = drawFrom(seed)
  const topic = topicOf(subject)
  const [person, contact] = [personOf(seed), personOf(`${seed} contact`)]
  return {
    subject,
    Subject: sentenceCase(subject),
    person: person.name,
    handle: person.handle,
    family: familyOf(seed),
    otherFamily: familyOf(`${seed} seller`),
    contact: contact.name,
    contactHandle: contact.handle,
    host: `${familyOf(seed).toLowerCase()}.example`,
    outlet: outletOf(seed).name,
    text: sentencesAbout(topic, { seed, count: 2 }).join(' '),
    longText: sentencesAbout(topic, { seed, count: 6 }).join(' '),
    street: `${draw.pick('street', tables.streets.split('|'))} ${draw.int('number', 1, 120)}`,
    phone: `+00 555 ${draw.int('phone', 1000, 9999)}`,
    number: String(draw.int('number', 2, 90)),
  }
}

/** The item of a trade for what was asked: the same each time. */
export function makeItem({ item }: Trade, asked: ItemRequest): Record<string, unknown> {
  const draw = drawFrom(asked.seed)
  const slots = slotsOf(asked)
  const { words } = topicOf(asked.subject)
  const fill = (text: string) => fillSlots(text, slots)
  const made: Record<string, unknown> = {
    usual: 8 + drawFrom(`price of ${asked.subject.toLowerCase()}`).chance('base') ** 3 * 900,
  }
  const numberOf = (name: string, { int, skewed, from = '', factor: [low, high] = [1, 1] }: FieldSpec) => {
    if (int) return draw.int(name, ...int)
    if (skewed) return Math.floor(draw.chance(name) ** 4 * skewed)
    return Number(made[from]) * (low + draw.chance(name) * (high - low))
  }
  const makeField = (name: string, spec: FieldSpec): unknown => {
    if (spec.pick) return fill(draw.pick(name, spec.pick.split('|')))
    if (spec.chance) return draw.chance(name) < spec.chance
    if (spec.daysAgo !== undefined) return isoTime(daysAgo(draw.int('day', 0, spec.daysAgo)))
    if (spec.place) return asked.place || draw.pick('city', tables.cities.split(' '))
    if (spec.title) return titleAbout(topicOf(asked.subject), { seed: outletOf(asked.seed).host, kind: spec.title })
    if (spec.words) return words.slice(0, spec.words).map((word) => word.toLowerCase())
    if (spec.countOf) return String(made[spec.countOf]).split(' ').length
    if (spec.page) {
      const address = { host: outletOf(asked.seed).host, kind: spec.page, text: fill(spec.about ?? '{subject}') }
      return asked.origin + pagePath(address)
    }
    const { times = 1, plus = 0, step = 1 } = spec
    const grain = times < 1 ? times : step
    return Number((Math.round((numberOf(name, spec) * times + plus) / grain) * grain).toFixed(2))
  }
  for (const [name, spec] of Object.entries(item))
    made[name] = typeof spec === 'string' ? fill(spec) : makeField(name, spec)
  const { usual: _, ...fields } = made
  return fields
}
