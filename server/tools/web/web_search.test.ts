import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { toBraveQuery } from './brave'
import { plainText } from './search'
import { searxngLocale } from './searxng'

const KEY = 'a-secret-key'
let provider: Server
let base: string
let asked: IncomingMessage[] = []
let next: { status?: number; headers?: Record<string, string>; body: unknown }

function answer(req: IncomingMessage, res: ServerResponse): void {
  asked.push(req)
  const { status = 200, headers = {}, body } = next
  res.writeHead(status, { 'content-type': 'application/json', ...headers })
  res.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
}

beforeAll(async () => {
  provider = createServer(answer)
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
})
beforeEach(() => {
  asked = []
  // Settings are read once per copy of env.ts: each test gets its own.
  vi.resetModules()
  vi.stubEnv('DATABASE_URL', 'postgresql://127.0.0.1:1/none')
  vi.stubEnv('AUTH_SECRET', 'a'.repeat(32))
  vi.stubEnv('UPSTREAMS', 'live')
})
afterEach(() => vi.unstubAllEnvs())
afterAll(() => {
  provider.closeAllConnections()
  provider.close()
})

const useBrave = () => {
  vi.stubEnv('BRAVE_SEARCH_BASE_URL', base)
  vi.stubEnv('BRAVE_SEARCH_API_KEY', KEY)
}
const useSearxng = () => vi.stubEnv('SEARXNG_URL', base)

async function search(params: Record<string, unknown> = { query: 'mills' }) {
  const { webSearch } = await import('./web_search')
  const accepted = vi.fn()
  const context = { signal: AbortSignal.timeout(60_000), onSent: accepted, spent: () => {}, ownerId: 1 }
  const result = await webSearch.run(webSearch.params.parse(params) as never, context)
  expect(webSearch.output.parse(result)).toEqual(result)
  expect(accepted).toHaveBeenCalled()
  return result
}

async function failure(params?: Record<string, unknown>) {
  const error = await search(params).then(
    () => expect.unreachable('it should have failed'),
    (e: unknown) => e,
  )
  // Of the same copy of the modules as the tool.
  const { AppError } = await import('../../errors')
  if (!(error instanceof AppError)) throw error
  expect(error.code).toBe('upstream_error')
  expect(error.message).not.toContain(KEY)
  return error
}

const row = (n: number, snippet = '') => ({ title: `T${n}`, url: `https://x.test/${n}`, snippet, content: '' })

describe('parameters', () => {
  it.each([
    {},
    { query: '' },
    { query: 'x'.repeat(401) },
    { query: 'w '.repeat(51) },
    { query: 'x', country: 'USA' },
    { query: 'x', language: 'english' },
    { query: 'x', location: 'a\nb' },
    { query: 'x', limit: 5 },
  ])('%j is refused', async (params) => {
    const { webSearch } = await import('./web_search')
    expect(webSearch.params.safeParse(params).success).toBe(false)
  })

  it('the tool is there only when a provider is set', async () => {
    const isThere = async () => (await import('./web_search')).webSearch.available()
    expect(await isThere()).toBe(false)
    vi.resetModules()
    useSearxng()
    expect(await isThere()).toBe(true)
  })
})

describe('plain text', () => {
  it.each([
    ['a <strong>b</strong> &amp; c&#x27;s <br/>d', "a b & c's d"],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['the &lt;div&gt; element\n  here', 'the <div> element here'],
    [null, ''],
  ])('of %j is %j', (html, text) => {
    expect(plainText(html)).toBe(text)
  })
})

describe('Brave', () => {
  beforeEach(useBrave)

  it('is asked with its own names and codes', () => {
    const words = toBraveQuery({ query: 'q', country: 'uk', language: 'ja', location: 'Zürich, ZH' })
    expect(words.query).toMatchObject({ q: 'q', count: '20', country: 'GB', search_lang: 'jp' })
    expect(Buffer.from(words.headers['x-loc-city'] ?? '', 'latin1').toString()).toBe('Zürich')
    const odd = toBraveQuery({ query: 'q', country: 'is', language: 'xx' })
    expect(odd.headers).toEqual({ 'x-loc-country': 'IS' })
    expect(odd.query).not.toHaveProperty('country')
    expect(odd.query).not.toHaveProperty('search_lang')
    expect(toBraveQuery({ query: 'q', country: 'BR', language: 'pt' }).query).toMatchObject({ search_lang: 'pt-br' })
  })

  it('gives ranked rows of plain text, from a compressed answer', async () => {
    const results = [
      { title: 'T1', url: 'https://x.test/1', description: 'A <strong>b</strong> &amp; c' },
      { title: 'T2', url: 'https://x.test/2' },
      { title: 'no page', url: 'javascript:alert(1)' },
    ]
    next = { headers: { 'content-encoding': 'gzip' }, body: gzipSync(JSON.stringify({ web: { results } })) }
    expect(await search()).toEqual({ rows: [row(1, 'A b & c'), row(2)], nextCursor: null })
    expect(asked[0]?.headers['x-subscription-token']).toBe(KEY)
  })

  it('gives no rows when the key web is missing', async () => {
    next = { body: { type: 'search' } }
    expect(await search()).toEqual({ rows: [], nextCursor: null })
  })

  it.each([
    ['a wrong key', 422, { error: { code: 'SUBSCRIPTION_TOKEN_INVALID', detail: KEY } }],
    ['a wrong key, as the reference shows it', 422, { errors: [{ code: 'SUBSCRIPTION_TOKEN_INVALID' }] }],
    ['a key without a plan', 404, { error: { code: 'SUBSCRIPTION_NOT_FOUND' } }],
    [
      'a missing key',
      422,
      { error: { code: 'VALIDATION', meta: { errors: [{ loc: ['header', 'x-subscription-token'], msg: 'm' }] } } },
    ],
  ])('%s is reported as the operator’s to fix', async (_what, status, body) => {
    next = { status, body }
    expect((await failure()).message).toMatch(/operator has to check BRAVE_SEARCH_API_KEY/)
  })

  it('names a refused parameter as callers know it', async () => {
    const errors = [{ loc: ['query', 'search_lang'], msg: 'Input should be a valid language' }]
    next = { status: 422, body: { error: { code: 'VALIDATION', meta: { errors } } } }
    expect((await failure()).message).toMatch(/language: Input should be a valid language/)
  })

  it('waits for the window of a second, then gives up', async () => {
    next = {
      status: 429,
      headers: { 'x-ratelimit-reset': '0, 9999', 'x-ratelimit-remaining': '0, 10' },
      body: { error: { code: 'RATE_LIMITED' } },
    }
    expect((await failure()).retryAfter).toBe(2)
    expect(asked).toHaveLength(3)
  })

  it.each([
    [{ 'x-ratelimit-remaining': '0, 0' }, 'RATE_LIMITED'],
    [{}, 'QUOTA_LIMITED'],
  ] as [Record<string, string>, string][])('asks no more when the month is used up (%j, %s)', async (headers, code) => {
    next = { status: 429, headers, body: { error: { code } } }
    expect((await failure()).message).toMatch(/no quota left for this gateway this month/)
    expect(asked).toHaveLength(1)
  })

  it.each([
    ['<html>oops', /invalid JSON/],
    [{ web: { results: 'many' } }, /unknown format/],
  ])('an answer such as %j is reported as the provider’s error', async (body, message) => {
    next = { body }
    expect((await failure()).message).toMatch(message)
  })
})

describe('pages of Brave', () => {
  beforeEach(useBrave)
  const page = (more: boolean) => ({
    body: { query: { more_results_available: more }, web: { results: [{ title: 'T', url: 'https://x.test/1' }] } },
  })

  it('are asked for by offset, with the age and the host; it says whether there are more', async () => {
    next = page(true)
    expect(await search({ query: 'mills', page: '2', freshness: 'day', site: 'X.test' })).toMatchObject({
      nextCursor: '3',
    })
    const sent = Object.fromEntries(new URL(asked[0]?.url ?? '', base).searchParams)
    expect(sent).toMatchObject({ q: 'mills site:x.test', offset: '1', freshness: 'pd' })
    expect(await search({ query: 'mills', page: 10 })).toMatchObject({ nextCursor: null })
    next = page(false)
    expect(await search({ query: 'mills' })).toMatchObject({ nextCursor: null })
    expect(new URL(asked.at(-1)?.url ?? '', base).searchParams.has('offset')).toBe(false)
  })

  it.each([{ page: 11 }, { page: 0 }, { cursor: '11' }, { cursor: 'x' }, { freshness: 'hour' }, { site: 'no host' }])(
    'refuses %j',
    async (given) => {
      const { webSearch } = await import('./web_search')
      expect(webSearch.params.safeParse({ query: 'mills', ...given }).success).toBe(false)
    },
  )

  it('refuses a query that is too long with its host', async () => {
    const { webSearch } = await import('./web_search')
    const query = 'x'.repeat(390)
    expect(webSearch.params.safeParse({ query }).success).toBe(true)
    expect(webSearch.params.safeParse({ query, site: 'example.com' }).success).toBe(false)
  })
})

describe('SearXNG', () => {
  beforeEach(useSearxng)

  it.each([
    [{}, 'all'],
    [{ language: 'DE' }, 'de'],
    [{ country: 'at', language: 'de' }, 'de-AT'],
    [{ country: 'fr' }, 'fr-FR'],
    [{ country: 'uk' }, 'en-GB'],
  ])('%j is the language %s', (given, language) => {
    expect(searxngLocale({ query: 'x', ...given })).toBe(language)
  })

  it('takes a page, an age and a host; what has results may have more', async () => {
    next = { body: { results: [{ title: 'T', url: 'https://x.test/1', content: '' }] } }
    const found = await search({ query: 'mills', cursor: '3', freshness: 'week', site: 'x.test' })
    expect(found).toMatchObject({ nextCursor: '4' })
    const sent = Object.fromEntries(new URL(asked[0]?.url ?? '', base).searchParams)
    expect(sent).toMatchObject({ q: 'mills site:x.test', pageno: '3', time_range: 'week' })
    expect(await search({ query: 'mills', page: 10 })).toMatchObject({ nextCursor: null })
    next = { body: { results: [] } }
    expect(await search({ query: 'mills', page: 2 })).toEqual({ rows: [], nextCursor: null })
  })

  it('gives rows, without fields that may be null', async () => {
    const results = [
      { title: 'T1', url: 'https://x.test/1', content: 'a &amp; b' },
      { title: 'T2', url: 'https://x.test/2', content: null },
    ]
    next = { body: { results, unresponsive_engines: [['one', 'timeout']] } }
    expect(await search({ query: 'mills', location: 'Lyon' })).toEqual({
      rows: [row(1, 'a & b'), row(2)],
      nextCursor: '2',
    })
    expect(new URL(asked[0]?.url ?? '', base).searchParams.get('q')).toBe('mills Lyon')
  })

  it('distinguishes no results from engines that failed', async () => {
    next = { body: { results: [], unresponsive_engines: [] } }
    expect(await search()).toEqual({ rows: [], nextCursor: null })
    next = {
      body: {
        results: [],
        unresponsive_engines: [
          ['one', 'timeout'],
          ['two', 'Suspended'],
        ],
      },
    }
    expect((await failure()).message).toMatch(/engines failed \(one, two\)/)
  })

  it('does not follow a bang to another host', async () => {
    next = { status: 302, headers: { location: `${base}/elsewhere` }, body: '' }
    expect((await failure({ query: '!!x y' })).message).toMatch(/begins with !!/)
    expect(asked).toHaveLength(1)
  })

  it.each([
    [403, /add json to search\.formats/],
    [400, /rejected the query/],
    [404, /check SEARXNG_URL/],
  ])('%i is reported with what to do', async (status, message) => {
    next = { status, headers: { 'content-type': 'text/html' }, body: '<h1>Forbidden</h1>' }
    expect((await failure()).message).toMatch(message)
  })
})
