import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { callQuery, type TestResponse, withSandbox } from '../support/api'
import { makeCaller, makeKey } from '../support/owners'

withSandbox()

const prices = (key: string, coin: string, headers = {}) =>
  callQuery(key, 'crypto_get_prices', { coinIds: [coin] }, headers)
const search = (key: string, query: string) => callQuery(key, 'web_search', { query })

/** A call for each row of the guide's table of tools, by how the row's "How" begins. */
const CALLS: Record<string, (key: string) => Promise<TestResponse>> = {
  'a parameter that the tool': (key) => callQuery(key, 'crypto_get_prices', { coinIds: ['bitcoin'], colour: 'red' }),
  'a key with a lifetime': async () => prices((await makeCaller(1_000, { budget: 1 })).key.key, 'bitcoin'),
  'a key without the tool': async () => prices((await makeCaller(1_000, { tools: [] })).key.key, 'bitcoin'),
  'two calls at once': async (key) => {
    const once = { 'idempotency-key': 'once' }
    const both = await Promise.all([prices(key, 'sandbox-slow', once), prices(key, 'sandbox-slow', once)])
    return both.find(({ status }) => status !== 200) as TestResponse
  },
  'another body with': async (key) => {
    await prices(key, 'bitcoin', { 'idempotency-key': 'twice' })
    return prices(key, 'ethereum', { 'idempotency-key': 'twice' })
  },
  'a key that may make 1': async () => {
    const { owner } = await makeCaller()
    const { key } = await makeKey(owner, { rpm: 1 })
    await prices(key, 'bitcoin')
    return prices(key, 'bitcoin')
  },
  '`crypto_get_prices` with `sandbox-500`': (key) => prices(key, 'sandbox-500'),
  '`sandbox-429` as a coin': (key) => prices(key, 'sandbox-429'),
  '`sandbox-stuck` as a coin': (key) => prices(key, 'sandbox-stuck'),
  '`web_read_url` of a host': (key) => callQuery(key, 'web_read_url', { url: 'http://nowhere.invalid' }),
  '`web_read_url` of `http://10': (key) => callQuery(key, 'web_read_url', { url: 'http://10.0.0.1' }),
  '`sandbox-slow` as a coin': (key) => prices(key, 'sandbox-slow'),
  '`web_search` for `sandbox:empty`': (key) => search(key, 'sandbox:empty'),
}

const guide = readFileSync('docs/guides/simulation.md', 'utf8')
const rows = [...(guide.split('## Models')[0] ?? '').matchAll(/^\| (\d{3})(, \w+)? \| (?:`(\w+)`)? ?\| (.*) \|$/gm)]

it.concurrent.each(
  rows.map(([row, status, more, reason, how]) => ({ row, status: Number(status), more, reason, how: how ?? '' })),
)('$row', async ({ status, more, reason, how }) => {
  const call = Object.entries(CALLS).find(([begins]) => how.startsWith(begins))?.[1]
  if (!call) throw new Error(`no call provokes: ${how}`)
  const { key } = await makeCaller(1_000)
  const answer = await call(key.key)
  expect(answer, answer.text).toMatchObject({ status, body: reason ? { reason } : {} })
  const { service, charge } = answer.body as Record<string, { credits_charged: number } | undefined>
  const charged = service?.credits_charged ?? charge?.credits_charged ?? 0
  if (status >= 400) expect(charged > 0, answer.text).toBe(more === ', charged')
})

it('is every row of the table', () => {
  expect(rows).toHaveLength(Object.keys(CALLS).length)
})
