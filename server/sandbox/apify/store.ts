import { sentenceCase } from '../prose/capitals'
import { contentWords } from '../prose/topic'
import { drawFrom } from '../seed'
import type { SimulatedActor } from './actors'
import type { ItemRequest, Trade } from './item'
import { TRADES } from './trades'

/** An actor that follows from its name: who made it, what it collects, and about what. */
export type NamedActor = { owner: string; slug: string; trade: Trade; subject: string; words: string[] }

const OWNERS = [
  'compassdata',
  'northcrawl',
  'tideworks',
  'opengraph_labs',
  'quickscrape',
  'datahaven',
  'novamine',
  'lantern_io',
  'fieldnotes',
  'webharbor',
]

/** What describes the wish and not what is to be found. */
const WISH = new Set([
  'scrape',
  'scraper',
  'scrapers',
  'scraping',
  'extract',
  'extractor',
  'crawler',
  'data',
  'from',
  'get',
  'collect',
  'find',
  'actor',
  'actors',
  'with',
  'for',
  'and',
  'the',
  'in',
  'of',
])

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** The words that a search is about, as they are in names. */
function wordsOf(query: string): string[] {
  const all = contentWords(query).map(plain).filter(Boolean)
  const kept = all.filter((word) => !WISH.has(word))
  return (kept.length > 0 ? kept : all.length > 0 ? all : ['web']).slice(0, 5)
}

const fits = (words: readonly string[]) => (trade: Trade) => words.some((word) => trade.words.includes(word))

/** The kinds of actors that fit some words, best first; every kind is among them. */
function tradesFor(words: readonly string[]): Trade[] {
  const fitting = TRADES.filter(fits(words))
  return [...fitting, ...TRADES.filter((trade) => !fitting.includes(trade))]
}

const ROWS = 24

/** Names of actors for a search: those that fit best first, a few of every other kind behind. */
export function searchStore(query: string, category: string | null): string[] {
  const words = wordsOf(query)
  const draw = drawFrom(`store ${words.join(' ')}`)
  const kinds = tradesFor(words).filter(({ categories }) => category === null || categories.includes(category))
  const names = kinds.flatMap((trade, rank) =>
    trade.endings.flatMap((ending, i) =>
      (rank === 0 ? ['', 'fast-', 'cheap-'] : ['']).map((before) => {
        const first = ending.split('-')[0]
        const stem = words.length > 1 && words.at(-1) === first ? words.slice(0, -1) : words
        return `${draw.pick(`owner ${trade.name} ${i} ${before}`, OWNERS)}~${before}${stem.join('-')}-${ending}`
      }),
    ),
  )
  return [...new Set(names)].slice(0, ROWS)
}

const BEFORE = /^(fast|cheap)-/

/** The actor of a name such as `owner~subject-reviews-scraper`; null for an unknown one. */
export function findStoreActor(id: string): NamedActor | null {
  const [owner = '', slug = '', more] = id.replace('/', '~').split('~')
  if (!OWNERS.includes(owner) || more !== undefined) return null
  const ending = TRADES.flatMap((trade) => trade.endings.map((text) => ({ trade, text })))
    .filter(({ text }) => slug.endsWith(`-${text}`))
    .sort((a, b) => b.text.length - a.text.length)[0]
  if (!ending) return null
  const words = slug
    .slice(0, -ending.text.length - 1)
    .replace(BEFORE, '')
    .split('-')
    .filter(Boolean)
  if (words.length === 0) return null
  return { owner, slug, trade: ending.trade, subject: words.join(' '), words }
}

const properties = ({ trade: { search, limit, place } }: NamedActor, subject: string) => ({
  [search.field]: {
    title: search.title,
    type: 'array',
    items: { type: 'string' },
    editor: 'stringList',
    prefill: [subject],
    description: 'Each is searched for on its own.',
  },
  ...(place && {
    [place]: { title: 'Place', type: 'string', editor: 'textfield', description: 'A city; empty: anywhere.' },
  }),
  [limit]: {
    title: 'Limit',
    type: 'integer',
    minimum: 1,
    maximum: 10_000,
    default: 100,
    description: 'Most items of a run.',
  },
})

/** The actor as the rest of the simulation takes it. */
export function toSimulatedActor(actor: NamedActor): SimulatedActor {
  const { owner, slug, trade, subject } = actor
  const { chance, int, pick } = drawFrom(`actor ${owner}~${slug}`)
  const popular = 1 - Math.sqrt(chance('popular'))
  const itemUsd = pick('price', [0.0005, 0.001, 0.0015, 0.002, 0.003, 0.005])
  const users = Math.round(40 + popular * 30_000)
  return {
    id: `${owner}~${slug}`,
    owner,
    name: slug,
    title: sentenceCase(slug.replaceAll('-', ' ')),
    description: `${trade.describe(subject)}. Made up by the sandbox.`,
    categories: [...trade.categories],
    kind: 'good',
    pricing: pricingOf(itemUsd),
    itemUsd,
    memoryMbytes: pick('memory', [512, 1024, 2048]),
    hasSchema: true,
    schema: {
      title: 'Input',
      type: 'object',
      schemaVersion: 1,
      properties: properties(actor, subject),
      required: [trade.search.field],
    },
    exampleInput: { [trade.search.field]: [subject], [trade.limit]: 20 },
    found: int('found', 40, 400),
    usage: {
      runs: Math.round(users * (6 + chance('runs') * 60)),
      users,
      users30Days: Math.round(users * (0.05 + chance('recent') * 0.2)),
      success: Math.round(860 + chance('success') * 138) / 1000,
      rating: Number((3.4 + chance('rating') * 1.6).toFixed(2)),
      reviews: 1 + Math.round(popular * 240),
    },
    item: (input, n, origin) => itemOf(actor, input, { n, origin }),
    limitOf: (input) => (typeof input[trade.limit] === 'number' ? Number(input[trade.limit]) : null),
  }
}

const BEGAN = {
  createdAt: '2024-12-01T00:00:00.000Z',
  startedAt: '2025-01-01T00:00:00.000Z',
  apifyMarginPercentage: 0.2,
}

const pricingOf = (itemUsd: number) => ({
  ...BEGAN,
  pricingModel: 'PAY_PER_EVENT',
  pricingPerEvent: {
    actorChargeEvents: {
      item: {
        eventTitle: 'Result',
        eventDescription: 'A result in the dataset',
        isPrimaryEvent: true,
        eventPriceUsd: itemUsd,
      },
      start: {
        eventTitle: 'Start',
        eventDescription: 'The start of a run',
        eventPriceUsd: 0.001,
        isOneTimeEvent: true,
      },
    },
  },
})

/** What an input asks for; each of its searches is answered one after the other. */
function itemOf({ trade, subject }: NamedActor, input: Record<string, unknown>, at: Pick<ItemRequest, 'n' | 'origin'>) {
  const given = input[trade.search.field]
  const searches = (Array.isArray(given) ? given : [given]).filter(
    (text): text is string => typeof text === 'string' && text.trim() !== '',
  )
  const asked = (searches[at.n % Math.max(1, searches.length)] ?? subject).trim().slice(0, 200)
  const place = trade.place && typeof input[trade.place] === 'string' ? String(input[trade.place]) : ''
  const seed = `${trade.name} ${asked.toLowerCase()} ${place.toLowerCase()} ${at.n}`
  return trade.item({ subject: asked, place, seed, ...at, draw: drawFrom(seed) })
}
