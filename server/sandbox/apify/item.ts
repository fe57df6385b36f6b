import { pagePath } from '../pages/address'
import { outletOf } from '../prose/outlets'
import { personOf } from '../prose/people'
import { sentencesAbout } from '../prose/text'
import { topicOf } from '../prose/topic'
import type { Draw } from '../seed'
import { daysAgo, isoTime } from '../today'

/** One item that an actor finds: what it was asked about, where, and which one it is. */
export type ItemRequest = { subject: string; place: string; seed: string; n: number; origin: string }

/** What actors of a kind take and find. */
export type Trade = {
  name: string
  /** Words of a search that ask for it. */
  words: readonly string[]
  categories: readonly string[]
  /** The endings of its actors' names. */
  endings: readonly string[]
  describe: (subject: string) => string
  /** The input that names what to look for, and the one that limits how much. */
  search: { field: string; title: string }
  limit: string
  place?: string
  item: (asked: ItemRequest & { draw: Draw }) => Record<string, unknown>
}

export const ITEM_CITIES = [
  'Lisbon',
  'Madrid',
  'Berlin',
  'Paris',
  'Milan',
  'Vienna',
  'Porto',
  'Valencia',
  'Lyon',
  'Hamburg',
  'Prague',
  'Dublin',
]
export const ITEM_STREETS = [
  'Mill Lane',
  'Station Road',
  'Harbour Street',
  'Market Square',
  'Park Avenue',
  'Church Street',
  'River Walk',
  'Garden Row',
]

export const personName = (seed: string) => personOf(seed).name
export const lastName = (seed: string) => personName(seed).split(' ').at(-1) ?? ''
export const toCents = (value: number) => Math.round(value * 100) / 100
export const itemStars = (draw: Draw) => Number((3.1 + draw.chance('stars') * 1.9).toFixed(1))
export const itemScore = (draw: Draw, max: number) => Math.floor(draw.chance('reviews') ** 3 * max)
export const itemPage = (
  { origin, subject, seed }: ItemRequest,
  kind: 'review' | 'news' | 'guide' | 'opinion' | 'reference',
  about = subject,
) => `${origin}${pagePath({ host: outletOf(seed).host, kind, text: about })}`
export const itemText = ({ subject, seed }: ItemRequest) =>
  sentencesAbout(topicOf(subject), { seed, count: 2 }).join(' ')
export const itemDay = (draw: Draw, days: number) => isoTime(daysAgo(draw.int('day', 0, days)))
