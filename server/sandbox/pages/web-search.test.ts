import { describe, expect, it } from 'vitest'
import { makeSandboxHandler } from '../start'
import { pagePath, readPagePath } from './address'
import { pagesRoutes } from './routes'
import { searchWeb, type WebQuery } from './web-search'

const serve = makeSandboxHandler(pagesRoutes)
const read = async (path: string) => {
  const response = await serve(new Request(`http://sandbox${path}`))
  return { status: response.status, html: await response.text() }
}
const asText = (html: string) => html.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')

const QUERIES = [
  'toll roads in the alps',
  'how to make bread',
  'Rust vs Go',
  'cafés in Lyon',
  'C++ e-bikes',
  '天气 东京',
  'x',
  '50% off AC/DC',
]

describe('a search', () => {
  it.each(QUERIES)('for %j finds eight to ten pages that say what it says of them', async (query) => {
    const found = searchWeb({ query })
    expect(found.length).toBeGreaterThanOrEqual(8)
    expect(found.length).toBeLessThanOrEqual(10)
    expect(new Set(found.map(({ path }) => path)).size).toBe(found.length)
    for (const { path, title, summary, published } of found) {
      const { status, html } = await read(path)
      expect(status).toBe(200)
      for (const text of [title, summary, published]) expect(asText(html)).toContain(text)
      expect(html).toMatch(/<meta name="author" content="\p{L}+ \p{L}+">/u)
    }
  })

  it('has the words of a quoted phrase in each title, and leaves out what is excluded', () => {
    for (const { title } of searchWeb({ query: '"the art of war" -cinema' })) {
      expect(title.toLowerCase()).toContain('the art of war')
      expect(title.toLowerCase()).not.toContain('cinema')
    }
  })

  it('finds news of the last week and month on any day, and none of tomorrow', () => {
    const ages = (days: number) => {
      const since = Date.now() - days * 86_400_000
      const found = QUERIES.flatMap((query) => searchWeb({ query, since }))
      for (const { published } of found) expect(Date.parse(published)).toBeGreaterThanOrEqual(since)
      for (const { published } of found) expect(Date.parse(published)).toBeLessThanOrEqual(Date.now())
      return found.length
    }
    expect(ages(7)).toBeGreaterThan(QUERIES.length / 2)
    expect(ages(31)).toBeGreaterThan(ages(7))
  })

  it('keeps to the host that site: names', () => {
    const found = searchWeb({ query: 'asyncio site:docs.python.example' })
    expect(found.length).toBeGreaterThan(4)
    for (const { path, title } of found) {
      expect(path).toMatch(/^\/site\/docs\.python\.example\//)
      expect(title).toMatch(/^Asyncio/)
    }
  })

  const paths = (asked: WebQuery) => searchWeb(asked).map(({ path }) => path)

  it('has other results for another country, language and place', () => {
    const query = 'heat pumps'
    const plain = paths({ query })
    expect(paths({ query })).toEqual(plain)
    const german = paths({ query, country: 'at', language: 'de' })
    expect(german.every((path) => path.startsWith('/site/de-at.'))).toBe(true)
    expect(decodeURIComponent(german[0] ?? '')).toContain('in-Österreich')
    expect(paths({ query, location: 'Lyon, Rhône' })[0]).toContain('heat-pumps-in-Lyon')
    expect(plain.some((path) => german.includes(path))).toBe(false)
  })

  it.each([
    ['de', 'Nachtzüge', / Prozent| Veröffentlichungen|Fragen/, 'Von '],
    ['es', 'mejores hoteles en Granada', /preguntas|puntos|cifras/, 'Por '],
    ['fr', 'trains de nuit', /questions|publications|récit/, 'Par '],
  ])('is written in the language that is asked for: %s', async (language, query, words, by) => {
    const found = searchWeb({ query, language })
    expect(found.map(({ summary }) => summary).join(' ')).toMatch(words)
    for (const { title } of found) expect(title.toLowerCase()).toContain(query.toLowerCase())
    const { html } = await read(found[0]?.path ?? '')
    expect(html).toContain(`<html lang="${language}-`)
    expect(html).toContain(`<p class="byline">${by}`)
    expect(html).not.toMatch(/[{}]name|undefined/)
  })

  it('quotes prices in the money of the country', () => {
    const summaries = searchWeb({ query: 'laptop prices', country: 'gb' }).map(({ title, summary }) => title + summary)
    expect(summaries.join(' ')).toMatch(/£\d/)
    expect(summaries.join(' ')).not.toMatch(/€/)
  })

  it('finds the fixed pages with a word of their own', () => {
    expect(paths({ query: 'sandbox:gazette night trains' })[0]).toBe('/site/night-trains')
  })
})

describe('a page', () => {
  it.each(['e-bikes', 'C++', 'a--b', '100% wool', 'AC/DC', '天气 东京'])('keeps %j in its address', (text) => {
    const address = { host: 'lantern-review.example', kind: 'guide', text } as const
    expect(readPagePath(pagePath(address).slice('/site/'.length))).toEqual(address)
  })

  it('links to pages that exist, and to its front page', async () => {
    const { html } = await read(pagePath({ host: 'lantern-review.example', kind: 'guide', text: 'night trains' }))
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path)
    expect(links.length).toBeGreaterThan(5)
    for (const path of links) expect((await read(path)).status).toBe(200)
    const front = await read('/site/lantern-review.example/')
    const listed = [...front.html.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path)
    expect(listed.length).toBeGreaterThan(8)
    for (const path of listed) expect((await read(path)).status).toBe(200)
  })

  it('writes what it is asked about as text', async () => {
    const { html } = await read(pagePath({ host: 'x.example', kind: 'guide', text: '<b>bold</b> "q"' }))
    expect(html).not.toMatch(/<b>bold/)
  })

  it.each([
    '/site/x.example/nothing/mills',
    '/site/no-dot/guide/mills',
    '/site/x.example/guide/',
    '/site/x.example/guide/%E0%A4%A',
  ])('does not exist at %s', async (path) => {
    expect((await read(path)).status).toBe(404)
  })
})
