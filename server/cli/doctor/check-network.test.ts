import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'

const server = createServer((_, res) => res.end())
let port = 0
const at = (name: string) => `http://${name}.localhost:${port}`

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
beforeEach(() => {
  // Settings are read once per copy of env.ts: each test gets its own.
  vi.resetModules()
  const settings = {
    DATABASE_URL: 'postgresql://127.0.0.1:1/none',
    AUTH_SECRET: 'a'.repeat(32),
    UPSTREAMS: 'live',
    X_BASE_URL: at('x'),
    X_BEARER_TOKEN: undefined,
    COINGECKO_BASE_URL: at('coingecko'),
    YOUTUBE_BASE_URL: at('youtube'),
    BRAVE_SEARCH_BASE_URL: at('brave'),
    BRAVE_SEARCH_API_KEY: undefined,
    SEARXNG_URL: at('searxng'),
  }
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
})
afterEach(() => vi.unstubAllEnvs())
afterAll(() => server.close())

/** Which of the names above the doctor asks. */
async function askedHosts(): Promise<string[]> {
  const { env } = await import('../../env')
  const { checkToolProviders } = await import('./check-network')
  const found = await checkToolProviders(env())
  return found.flatMap(({ name }) => /^tools at (\w+)\.localhost/.exec(name)?.[1] ?? []).sort()
}

test('a provider whose tools are off is not asked', async () => {
  expect(await askedHosts()).toEqual(['coingecko', 'searxng', 'youtube'])
})

test('one whose tools are on is, and of two for the same tool the one that it uses', async () => {
  vi.stubEnv('X_BEARER_TOKEN', 'token')
  vi.stubEnv('BRAVE_SEARCH_API_KEY', 'key')
  expect(await askedHosts()).toEqual(['brave', 'coingecko', 'x', 'youtube'])
})
