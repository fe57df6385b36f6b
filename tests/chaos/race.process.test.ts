import { afterAll, beforeAll, expect, it } from 'vitest'
import { chargedTo, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { startWebProcess, type WebProcess } from '../support/web-process'

const sandbox = withSandbox()
let webs: WebProcess[] = []

beforeAll(async () => {
  webs = await Promise.all([startWebProcess(), startWebProcess()])
})
afterAll(() => Promise.all(webs.map((web) => web.kill('SIGKILL'))))

const call = (i: number, key: string) =>
  fetch(`${webs[i % webs.length]?.url}/api/v1/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } }),
  })

async function race(calls: number, key: string) {
  const answers = await Promise.all(
    Array.from({ length: calls }, async (_, i) => {
      const res = await call(i, key)
      return {
        status: res.status,
        body: (await res.json()) as { code?: string; limitSource?: string; service?: unknown },
      }
    }),
  )
  return { ok: answers.filter((a) => a.status === 200), refused: answers.filter((a) => a.status === 402), answers }
}

it('lets exactly 10 of 200 concurrent calls over two processes through when the balance covers 10', async () => {
  const { owner, key } = await makeCaller(30)
  const { ok, refused } = await race(200, key.key)
  expect([ok.length, refused.length]).toEqual([10, 190])
  expect(refused.every(({ body }) => body.limitSource === 'balance' && body.service === undefined)).toBe(true)
  expect(await sandbox.calls()).toBe(10)
  expect(await chargedTo(owner)).toBe(30)
})

it('lets exactly 7 through when the key’s budget covers 7, and leaves the rest of the balance alone', async () => {
  const { owner, key } = await makeCaller(1_000, { budget: 23 })
  const { ok, refused } = await race(120, key.key)
  expect([ok.length, refused.length]).toEqual([7, 113])
  expect(refused.every(({ body }) => body.limitSource === 'key_budget')).toBe(true)
  expect(await sandbox.calls()).toBe(7)
  expect(await chargedTo(owner)).toBe(21)
})

it('lets exactly the minute’s requests through over two processes', async () => {
  const { owner, key } = await makeCaller(1_000, { rpm: 25 })
  const { ok, answers } = await race(100, key.key)
  expect(ok).toHaveLength(25)
  expect(answers.filter((a) => a.status === 429)).toHaveLength(75)
  expect(await chargedTo(owner)).toBe(75)
})
