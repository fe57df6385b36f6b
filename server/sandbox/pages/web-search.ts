import { drawFrom, times } from '../kit/seed'
import { outletOf } from '../prose/names'
import { KINDS_OF, type TextKind } from '../prose/phrasebook'
import { topicOf } from '../prose/topic'
import { countryName, withPlace } from '../prose/voices'
import { isHost, pagePath } from './address'
import { simulatedPages } from './articles'
import { pageSummary } from './page'

/** What is asked of a web search. Country and language are codes in lower case. */
export type WebQuery = {
  query: string
  country?: string
  language?: string
  location?: string
  /** From 1. */
  page?: number
  /** The oldest that a page may be, milliseconds. */
  since?: number
}

/** Pages of results that a query has. */
export const RESULT_PAGES = 3

export type WebResult = { path: string; title: string; summary: string; published: string }

/** The word in a query that asks for the three fixed pages. */
const FIXED_PAGES = /sandbox:gazette/

/**
 * What a search finds, best first: eight to ten pages about the query that can be read. Country,
 * language and location choose editions of the outlets and places. `site:` keeps to one host.
 */
export function searchWeb({ since, ...asked }: WebQuery): WebResult[] {
  if (since === undefined) return findPage(asked)
  // What is young enough is few: one page.
  if ((asked.page ?? 1) > 1) return []
  const found = times(RESULT_PAGES, (n) => findPage({ ...asked, page: n + 1 })).flat()
  return found.filter(({ published }) => Date.parse(published) >= since)
}

function findPage({ page = 1, ...asked }: Omit<WebQuery, 'since'>): WebResult[] {
  if (page > RESULT_PAGES) return []
  if (FIXED_PAGES.test(asked.query)) return page > 1 ? [] : fixedPages(asked.query)
  const topic = topicOf(asked.query)
  const [site = ''] = (/(?:^|\s)site:(\S+)/.exec(asked.query)?.[1] ?? '')
    .toLowerCase()
    .replace(/^www\./, '')
    .split('/')
  const seed = `search ${topic.key} ${edition(asked)} ${asked.location ?? ''}${page > 1 ? ` page ${page}` : ''}`
  const draw = drawFrom(seed)
  const [first, ...others] = KINDS_OF[topic.intent] as [TextKind, ...TextKind[]]
  const kinds = [first, ...draw.shuffle('kinds', others)]
  const ofSite = isHost(site) ? site : null
  const count = ofSite ? kinds.length : draw.int('count', 8, 10)
  const places = placesOf(asked)
  return times(count, (at) => {
    const place = places[at]
    const isNamed = place && topic.text.toLowerCase().includes(place.toLowerCase())
    const address = {
      host: ofSite ?? `${edition(asked)}${outletOf(`${seed} ${at}`).host}`,
      kind: kinds[at % kinds.length] ?? first,
      text: place && !isNamed ? withPlace(topic.text, place, asked.language ?? '') : topic.text,
    }
    const { title, summary, published } = pageSummary(address, address.text === topic.text ? topic : undefined)
    return { path: pagePath(address), title, summary, published }
  }).filter(({ path }, at, all) => all.findIndex((other) => other.path === path) === at)
}

/** The first label of the hosts: `de-at.`, `de.`, or nothing where neither was asked for. */
function edition({ country = '', language = '' }: WebQuery): string {
  if (!country) return language && language !== 'en' ? `${language}.` : ''
  return `${language || 'en'}-${country}.`
}

/** Where the first results are about: the location, which country it is in, or the country. */
function placesOf({ country = '', language = '', location = '' }: WebQuery): string[] {
  const [city = ''] = location.split(',').map((part) => part.trim())
  const land = countryName({ language, country })
  return city ? [city, city, city, ...(land ? [land] : [])] : land ? [land, land] : []
}

function fixedPages(query: string): WebResult[] {
  const words = query.toLowerCase().split(/\W+/).filter(Boolean)
  const hits = ({ title, summary, paragraphs }: (typeof simulatedPages)[number]) => {
    const text = `${title} ${summary} ${paragraphs.join(' ')}`.toLowerCase()
    return words.filter((word) => text.includes(word)).length
  }
  return [...simulatedPages]
    .sort((a, b) => hits(b) - hits(a))
    .map(({ slug, title, summary, published }) => ({ path: `/site/${slug}`, title, summary, published }))
}
