import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SandboxRoute } from './kit/route'
import { makeSandboxHandler, startSandboxServer } from './start'

let sandbox: Awaited<ReturnType<typeof startSandboxServer>>

beforeAll(async () => {
  sandbox = await startSandboxServer({ port: 0 })
})
afterAll(() => sandbox.stop())
beforeEach(() => fetch(`${sandbox.url}/__reset`, { method: 'POST' }))

const get = (path: string) => fetch(`${sandbox.url}${path}`)

test('calls are counted by path, the wrong ones too, the questions about them not', async () => {
  expect((await get('/healthz')).status).toBe(200)
  await get('/coingecko/api/v3/ping?x=1')
  await get('/coingecko/api/v3/ping')
  expect((await get('/nowhere')).status).toBe(404)
  expect(await (await get('/__calls')).json()).toEqual({
    total: 3,
    byPath: { '/coingecko/api/v3/ping': 2, '/nowhere': 1 },
  })
  await fetch(`${sandbox.url}/__reset`, { method: 'POST' })
  expect(await (await get('/__calls')).json()).toEqual({ total: 0, byPath: {} })
})

test('a taken port is the system error', async () => {
  await expect(startSandboxServer({ port: Number(new URL(sandbox.url).port) })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  })
})

test('stop does not wait for a response in progress', async () => {
  const other = await startSandboxServer({ port: 0 })
  const slow = fetch(`${other.url}/coingecko/api/v3/simple/price?ids=sandbox-slow&vs_currencies=usd`).catch(() => 'cut')
  const calls = async () => ((await (await fetch(`${other.url}/__calls`)).json()) as { total: number }).total
  await expect.poll(calls).toBe(1)
  await other.stop()
  // A stop that waited would let the answer come, after 5 s.
  expect(await slow).toBe('cut')
})

test('the same question has the same answer', async () => {
  const path = '/coingecko/api/v3/coins/markets?vs_currency=usd&per_page=250'
  expect(await (await get(path)).text()).toBe(await (await get(path)).text())
})

const say =
  (text: string): SandboxRoute['handle'] =>
  () =>
    new Response(text)
const answer = makeSandboxHandler([
  { method: 'GET', path: '/a/*', handle: say('prefix') },
  { method: 'GET', path: '/a/b', handle: say('exact') },
  { method: 'GET', path: '/a/long/*', handle: say('longer') },
  { method: 'POST', path: '/a/b', handle: say('posted') },
  { method: 'GET', path: '/throws', handle: () => Promise.reject(new Error('on purpose')) },
])
const asked = async (path: string, method = 'GET') => {
  const res = await answer(new Request(`http://sandbox${path}`, { method }))
  return res.ok ? res.text() : res.status
}

test.each([
  ['/a/b', 'GET', 'exact'],
  ['/a/b', 'POST', 'posted'],
  ['/a/b/c', 'GET', 'prefix'],
  ['/a/long/c', 'GET', 'longer'],
  ['/a', 'GET', 404],
  ['/a/b', 'DELETE', 404],
  ['/throws', 'GET', 500],
])('%s %s is answered by %s', async (path, method, expected) => {
  expect(await asked(path, method)).toBe(expected)
})
