import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findChromiumPath } from '../../tools/web/find-chromium'
import { startSandboxServer } from '../start'

/**
 * The whole way, offline: search, read what was found, image it, all through the adapters that
 * production uses.
 */
let sandbox: Awaited<ReturnType<typeof startSandboxServer>>

beforeAll(async () => {
  sandbox = await startSandboxServer({ port: 0 })
})
afterAll(() => sandbox.stop())

async function toolsWith(settings: Record<string, string>) {
  vi.resetModules()
  vi.unstubAllEnvs()
  const fixed = { DATABASE_URL: 'postgresql://127.0.0.1:1/none', AUTH_SECRET: 'a'.repeat(32), SANDBOX_URL: sandbox.url }
  for (const [name, value] of Object.entries({ ...fixed, ...settings })) vi.stubEnv(name, value)
  const [{ webSearch }, { webReadUrl }] = await Promise.all([
    import('../../tools/web/web_search'),
    import('../../tools/web/web_read_url'),
  ])
  return { webSearch, webReadUrl }
}

const context = () => ({ signal: AbortSignal.timeout(60_000), onSent: () => {}, spent: () => {}, ownerId: 1 })

type Rows = { rows: { title: string; url: string; snippet: string }[] }
type Read = { title: string; author: string; publishedAt: string; markdown: string }

describe.each([
  ['Brave', () => ({ UPSTREAMS: 'sandbox' })],
  [
    'SearXNG',
    () => ({
      UPSTREAMS: 'live',
      SEARXNG_URL: `${sandbox.url}/searxng`,
      ALLOW_PRIVATE_HOSTS: new URL(sandbox.url).host,
    }),
  ],
] as [string, () => Record<string, string>][])('through %s', (provider, settings) => {
  const search = async (query: string) => {
    const { webSearch } = await toolsWith(settings())
    return (await webSearch.run({ query } as never, context())) as Rows
  }

  it('every result is about the query, and can be read', async () => {
    const { rows } = await search('toll roads in the alps')
    expect(rows.length).toBeGreaterThanOrEqual(8)
    for (const { title } of rows) expect(title).toContain('Toll Roads in the Alps')
    const { webReadUrl } = await toolsWith(settings())
    const page = (await webReadUrl.run({ url: rows[0]?.url } as never, context())) as Read
    expect(page.title).toContain(rows[0]?.title)
    expect(page.author).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
    expect(page.publishedAt).toMatch(/^20\d\d-/)
    expect(page.markdown).toContain(rows[0]?.snippet)
    expect(page.markdown).toMatch(/^## .+$/m)
    expect(page.markdown).toMatch(/^\| Option \|/m)
  })

  it('the fixed pages come best match first', async () => {
    const { rows } = await search('sandbox:gazette night trains register')
    expect(rows[0]).toMatchObject({
      title: 'A short register of night trains',
      url: `${sandbox.url}/site/night-trains`,
    })
    expect(rows[0]?.snippet).not.toMatch(/[<&]/)
    const { webReadUrl } = await toolsWith(settings())
    const page = (await webReadUrl.run({ url: rows[0]?.url } as never, context())) as Read
    expect(page).toMatchObject({ author: 'Mirela Anton', publishedAt: '2026-07-21T17:45:00.000Z' })
    expect(page.markdown).toContain('| Harbour to Highmoor | 9 | 49 |')
    expect(page.markdown).not.toMatch(/Subscribe|cookies/)
  })

  it('is the same every time, and empty when asked to be', async () => {
    expect(await search('mills')).toEqual(await search('mills'))
    expect((await search('sandbox:empty')).rows).toEqual([])
  })

  it.each(['sandbox:429', 'sandbox:500', provider === 'Brave' ? 'sandbox:quota' : 'sandbox:engines'])(
    '%s fails as the provider would',
    async (query) => {
      const error = await search(query).catch((e: unknown) => e)
      // Of the same copy of the modules as the tool.
      const { AppError } = await import('../../errors')
      expect(error instanceof AppError && error.code).toBe('upstream_error')
    },
  )
})

describe('the simulated site', () => {
  it.each([
    ['/site/plain-notes.example/nothing/mills', /HTTP 404/],
    ['/site/status/503', /HTTP 503/],
    ['/site/nothing', /HTTP 404/],
    ['/site/private', /not on the public internet/],
  ])('%s fails', async (path, message) => {
    const { webReadUrl } = await toolsWith({ UPSTREAMS: 'sandbox' })
    await expect(webReadUrl.run({ url: `${sandbox.url}${path}` } as never, context())).rejects.toThrow(message)
  })

  it('can be captured', async () => {
    const { makeChromiumPool } = await import('../../tools/web/chromium')
    const { capturePage } = await import('../../tools/web/capture')
    const pool = makeChromiumPool(findChromiumPath(process.env.CHROMIUM_PATH) ?? 'no chromium', {
      allow: [new URL(sandbox.url).host],
    })
    const input = { url: `${sandbox.url}/site/redirect`, fullPage: false, timeout: 15 }
    try {
      const found = await capturePage(pool, input, context())
      expect(found).toMatchObject({
        finalUrl: `${sandbox.url}/site/tide-mills`,
        statusCode: 200,
        title: expect.stringMatching(/tide mills/),
      })
    } finally {
      await pool.close()
    }
  })
})
