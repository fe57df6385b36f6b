import { afterEach, expect, it } from 'vitest'
import { getBalance } from '../../server/credits/balance'
import { settlePending } from '../../server/credits/pending-settlements'
import { replayJournals } from '../../server/credits/replay-journals'
import { sweepHolds } from '../../server/credits/sweep'
import { chargedTo, send, withSandbox } from '../support/api'
import { expireLeases } from '../support/ledger'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { startWebProcess, type WebProcess } from '../support/web-process'

const sandbox = withSandbox()
let webs: WebProcess[] = []
afterEach(async () => {
  await Promise.all(webs.map((web) => web.kill('SIGKILL')))
  webs = []
})

const start = async () => {
  const web = await startWebProcess()
  webs.push(web)
  return web
}

const slow = { tool: 'crypto_get_prices', params: { coinIds: ['sandbox-slow'] } }

const call = (
  web: WebProcess,
  key: string,
  init: { body?: object; idempotencyKey?: string; signal?: AbortSignal } = {},
) =>
  fetch(`${web.url}/api/v1/query`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(init.idempotencyKey && { 'idempotency-key': init.idempotencyKey }),
    },
    body: JSON.stringify(init.body ?? slow),
    signal: init.signal,
  })

const heldBy = async (ownerId: number) => (await getBalance(ownerId)).held

it('voids what a killed process held: nothing is charged, nothing stays held, the idempotency key is free again', async () => {
  const { owner, key } = await makeCaller(100)
  const web = await start()
  const lost = call(web, key.key, { idempotencyKey: 'k1' }).catch(() => 'cut')
  await pollUntil('the hold', async () => (await heldBy(owner.id)) === 3)
  await web.kill('SIGKILL')
  expect(await lost).toBe('cut')
  expect(await heldBy(owner.id)).toBe(3)

  await expireLeases()
  const next = await start()
  await pollUntil('the sweep at the next start', async () => (await heldBy(owner.id)) === 0)
  expect(await getBalance(owner.id)).toEqual({ available: 100, held: 0 })
  expect(await chargedTo(owner)).toBe(0)
  const { body } = await send('/api/v1/usage', { key: key.key })
  expect(body).toMatchObject({ rows: [{ status: 'expired', credits: { held: 3, charged: 0, released: 3 } }] })

  const again = await call(next, key.key, { idempotencyKey: 'k1', body: { ...slow, params: { coinIds: ['bitcoin'] } } })
  expect(again.status).toBe(200)
  expect(await chargedTo(owner)).toBe(3)
})

it('leaves the holds of living processes alone', async () => {
  const { owner, key } = await makeCaller(100)
  const web = await start()
  const answer = call(web, key.key)
  await pollUntil('the hold', async () => (await heldBy(owner.id)) === 3)
  expect(await sweepHolds()).toEqual({ swept: 0, credits: 0 })
  expect((await answer).status).toBe(200)
  expect(await getBalance(owner.id)).toEqual({ available: 97, held: 0 })
})

it('finishes and charges a call whose client disconnected after the provider accepted it', async () => {
  const { owner, key } = await makeCaller(100)
  const web = await start()
  const leaving = new AbortController()
  const left = call(web, key.key, { signal: leaving.signal }).catch(() => 'left')
  await pollUntil('the provider’s request', async () => (await sandbox.calls()) === 1)
  leaving.abort()
  expect(await left).toBe('left')
  await pollUntil('the charge', async () => (await chargedTo(owner)) === 3)
  expect(await getBalance(owner.id)).toEqual({ available: 97, held: 0 })
})

it('drains on SIGTERM: the call in progress is answered and charged, new connections are refused, the exit is clean', async () => {
  const { owner, key } = await makeCaller(100)
  const web = await start()
  const answer = call(web, key.key)
  await pollUntil('the provider’s request', async () => (await sandbox.calls()) === 1)
  const ended = web.kill('SIGTERM')
  await pollUntil('the listener to close', () =>
    fetch(`${web.url}/healthz`).then(
      () => false,
      () => true,
    ),
  )
  expect((await answer).status).toBe(200)
  await ended
  expect(web.child.exitCode).toBe(0)
  expect(await chargedTo(owner)).toBe(3)
  expect(await getBalance(owner.id)).toEqual({ available: 97, held: 0 })
})

it('survives 8 kills under load: every charge has its answer or its receipt, and no credit is lost', async () => {
  const { owner, key } = await makeCaller(100_000)
  let answered = 0
  for (let round = 0; round < 4; round++) {
    const pair = await Promise.all([start(), start()])
    const before = answered
    let killed = false
    const callers = pair.flatMap((web) =>
      Array.from({ length: 8 }, async () => {
        while (!killed) {
          const res = await call(web, key.key, { body: { ...slow, params: { coinIds: ['bitcoin'] } } }).catch(
            () => null,
          )
          if (res?.status === 200) answered++
          if (!res) return
        }
      }),
    )
    // In the middle of it, however slow the machine is.
    await pollUntil('some answers', () => answered >= before + 20)
    await Promise.all(pair.map((web) => web.kill('SIGKILL')))
    killed = true
    await Promise.all(callers)
  }
  await expireLeases()
  // What a living process does: what was answered and not written yet is in the journals.
  await replayJournals()
  expect(await settlePending(60_000)).toBe(0)
  await sweepHolds()
  const charged = await chargedTo(owner)
  expect(answered).toBeGreaterThan(0)
  // A killed process may have charged calls whose answers were still on their way; it never charges
  // less.
  expect(charged).toBeGreaterThanOrEqual(answered * 3)
  expect(await getBalance(owner.id)).toEqual({ available: 100_000 - charged, held: 0 })
})
