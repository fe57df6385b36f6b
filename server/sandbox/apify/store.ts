import { drawFrom } from '../kit/seed'
import { fillTemplate } from '../kit/template'
import { sentenceCase } from '../kit/text'
import { contentWords } from '../prose/topic'
import { slugFrom } from '../prose/words'
import type { SimulatedActor } from './actors'
import { makeItem, TRADES, type Trade } from './items'
import shapes from './shapes.json'
import tables from './trades.json'

/** An actor that follows from its name: who made it, what it collects, and about what. */
type NamedActor = { owner: string; slug: string; trade: Trade; subject: string }

const OWNERS = tables.owners.split(' ')
/** What describes the wish and not what is to be found. */
const WISH = new Set(tables.wish.split(' '))

function wordsOf(query: string): string[] {
  const all = contentWords(query).map(slugFrom).filter(Boolean)
  const kept = all.filter((word) => !WISH.has(word))
  return (kept.length > 0 ? kept : all.length > 0 ? all : ['web']).slice(0, 5)
}

const ROWS = 24

/** Names of actors for a search: those that fit best first, a few of every other kind behind. */
export function searchStore(query: string, category: string | null): string[] {
  const words = wordsOf(query)
  const draw = drawFrom(`store ${words.join(' ')}`)
  const fits = (trade: Trade) => words.some((word) => trade.words.split(' ').includes(word))
  const kinds = [...TRADES]
    .sort((a, b) => Number(fits(b)) - Number(fits(a)))
    .filter(({ categories }) => category === null || categories.split(' ').includes(category))
  const names = kinds.flatMap((trade, rank) =>
    trade.endings.split(' ').flatMap((ending, i) =>
      (rank === 0 ? ['', 'fast-', 'cheap-'] : ['']).map((before) => {
        const first = ending.split('-')[0]
        const stem = words.length > 1 && words.at(-1) === first ? words.slice(0, -1) : words
        return `${draw.pick(`owner ${trade.name} ${i} ${before}`, OWNERS)}~${before}${stem.join('-')}-${ending}`
      }),
    ),
  )
  return [...new Set(names)].slice(0, ROWS)
}

/** The actor of a name such as `owner~subject-reviews-scraper`; null for an unknown one. */
export function findStoreActor(id: string): SimulatedActor | null {
  const [owner = '', slug = '', more] = id.replace('/', '~').split('~')
  if (!OWNERS.includes(owner) || more !== undefined) return null
  const ending = TRADES.flatMap((trade) => trade.endings.split(' ').map((text) => ({ trade, text })))
    .filter(({ text }) => slug.endsWith(`-${text}`))
    .sort((a, b) => b.text.length - a.text.length)[0]
  const before = slug.slice(0, -(ending?.text.length ?? 0) - 1).replace(/^(fast|cheap)-/, '')
  const subject = before.split('-').filter(Boolean).join(' ')
  return ending && subject ? toSimulatedActor({ owner, slug, trade: ending.trade, subject }) : null
}

function toSimulatedActor({ owner, slug, trade, subject }: NamedActor): SimulatedActor {
  const { chance, int, pick } = drawFrom(`actor ${owner}~${slug}`)
  const { search, limit, place } = trade
  const popular = 1 - Math.sqrt(chance('popular'))
  const itemUsd = pick('price', [0.0005, 0.001, 0.0015, 0.002, 0.003, 0.005])
  const users = Math.round(40 + popular * 30_000)
  return {
    id: `${owner}~${slug}`,
    owner,
    name: slug,
    title: sentenceCase(slug.replaceAll('-', ' ')),
    description: `${trade.about.replace('{subject}', subject)}. Made up by the sandbox.`,
    categories: trade.categories.split(' '),
    kind: 'good',
    pricing: fillTemplate(shapes.pricing, { itemUsd }),
    itemUsd,
    memoryMbytes: pick('memory', [512, 1024, 2048]),
    hasSchema: true,
    schema: {
      ...shapes.schema,
      properties: {
        [search.field]: fillTemplate(shapes.searchField, { title: search.title, subject }),
        ...(place && { [place]: shapes.placeField }),
        [limit]: shapes.limitField,
      },
      required: [search.field],
    },
    exampleInput: { [search.field]: [subject], [limit]: 20 },
    found: int('found', 40, 400),
    usage: {
      runs: Math.round(users * (6 + chance('runs') * 60)),
      users,
      users30Days: Math.round(users * (0.05 + chance('recent') * 0.2)),
      success: Math.round(860 + chance('success') * 138) / 1000,
      rating: Number((3.4 + chance('rating') * 1.6).toFixed(2)),
      reviews: 1 + Math.round(popular * 240),
    },
    item: (input, n, origin) => {
      // Each of its searches is answered one after the other.
      const searches = [input[search.field]].flat().filter((text) => typeof text === 'string' && text.trim() !== '')
      const wanted = String(searches[n % Math.max(1, searches.length)] ?? subject)
      const asked = wanted.trim().slice(0, 200)
      const where = place && typeof input[place] === 'string' ? String(input[place]) : ''
      const seed = `${trade.name} ${asked.toLowerCase()} ${where.toLowerCase()} ${n}`
      return makeItem(trade, { subject: asked, place: where, seed, origin })
    },
    limitOf: (input) => (typeof input[limit] === 'number' ? Number(input[limit]) : null),
  }
}
