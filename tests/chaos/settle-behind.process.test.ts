import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { findLedgerDifferences } from '../../server/credits/verify'
import { mainPool } from '../../server/db'
import { revokeKey } from '../../server/keys/revoke'
import { chargedTo, withSandbox } from '../support/api'
import { expireLeases, readOwnerMoney } from '../support/ledger'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { startWebProcess, type WebProcess } from '../support/web-process'

withSandbox()
let webs: WebProcess[] = []
afterEach(async () => {
  await Promise.all(webs.map((web) => web.kill('SIGKILL')))
  webs = []
})

const start = async (env?: Record<string, string>) => {
  const web = await startWebProcess(env)
  webs.push(web)
  return web
}

const headersOf = (key: string, more = {}) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  ...more,
})

async function call(web: WebProcess, key: string, more = {}) {
  const body = JSON.stringify({ tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } })
  const answer = await fetch(`${web.url}/api/v1/query`, { method: 'POST', headers: headersOf(key, more), body })
  return { status: answer.status, id: answer.headers.get('x-request-id') ?? '', body: await answer.json() }
}

const read = async (web: WebProcess, key: string, path: string) => {
  const answer = await fetch(`${web.url}/api/v1/${path}`, { headers: headersOf(key) })
  return { status: answer.status, body: await answer.json() }
}

it.each(['0', '1'])(
  'finds each charge in another process at once, and repeats an answer there: DURABLE_ANSWERS=%s',
  async (durable) => {
    const env = { DURABLE_ANSWERS: durable }
    const { owner, key } = await makeCaller(1_000, { rpm: 10_000 })
    const [a, b] = await Promise.all([start(env), start(env)])
    for (let n = 1; n <= 40; n++) {
      const made = await call(a, key.key)
      expect(made.status).toBe(200)
      const [receipt, list] = await Promise.all([
        read(b, key.key, `usage/${made.id}`),
        read(b, key.key, 'usage?limit=100'),
      ])
      expect(receipt).toMatchObject({ status: 200, body: { credits: { charged: 3 } } })
      expect(list.body.rows).toHaveLength(n)
    }
    const idempotencyKey = { 'idempotency-key': 'same' }
    const first = await call(a, key.key, idempotencyKey)
    expect(await call(b, key.key, idempotencyKey)).toMatchObject({ status: 200, body: first.body })
    expect(await chargedTo(owner)).toBe(41 * 3)
  },
)

it('charges what was answered once, though the process is killed or frozen right after the answer', async () => {
  const { owner, key } = await makeCaller(1_000, { rpm: 10_000 })
  for (let n = 0; n < 4; n++) {
    const web = await start()
    // The process knows the key then: five at once are many, and it holds credits for more to come.
    await call(web, key.key)
    const made = await Promise.all(Array.from({ length: 5 }, () => call(web, key.key)))
    await web.kill('SIGKILL')
    expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  }
  await expireLeases()
  const last = await start()
  await pollUntil('the charges', async () => (await chargedTo(owner)) === 72)
  await call(last, key.key)
  last.child.kill('SIGSTOP')
  await expireLeases()
  await start()
  await pollUntil('the charge of the frozen process', async () => (await chargedTo(owner)) === 75)
  last.child.kill('SIGCONT')
  await pollUntil('its own writing', async () => (await readOwnerMoney(owner)).holds === 0)
  const { receipts: _, ...money } = await readOwnerMoney(owner)
  expect(money).toEqual({ available: 925, held: 0, charged: 75, holds: 0 })
  const ofCalls = await mainPool().query('SELECT status, charged::int FROM receipt WHERE owner_id = $1', [owner.id])
  const isCharge = ({ charged }: { charged: number }) => charged > 0
  expect(ofCalls.rows.filter(isCharge)).toEqual(Array(25).fill({ status: 'ok', charged: 3 }))
  // What a killed process held for calls to come ends as a receipt, too.
  for (const { status } of ofCalls.rows.filter((row) => !isCharge(row))) expect(status).toBe('expired')
  expect(await findLedgerDifferences()).toEqual([])
})

/** Calls one after the other until `isOver`; what was answered. */
async function callOften(web: WebProcess, key: string, isOver: () => boolean) {
  const made: { status: number; id: string }[] = []
  while (!isOver()) {
    const answer = await call(web, key).catch(() => null)
    if (!answer) break
    made.push(answer)
  }
  return made
}

const countSlices = async (ownerId: number): Promise<number> => {
  const { rows } = await mainPool().query<{ count: number }>(
    'SELECT count(*)::int AS count FROM hold WHERE owner_id = $1 AND calls IS NOT NULL',
    [ownerId],
  )
  return rows[0]?.count ?? 0
}

it('finds the charges of a busy key in another process, and none goes by a key that was revoked there', async () => {
  const { owner, key } = await makeCaller(1_000_000, { rpm: 50_000 })
  const [a, b] = await Promise.all([start(), start()])
  let isOver = false
  const callers = Promise.all(Array.from({ length: 8 }, () => callOften(a, key.key, () => isOver)))
  await pollUntil('a slice', async () => (await countSlices(owner.id)) > 0)
  for (let n = 0; n < 20; n++) {
    const made = await call(a, key.key)
    expect(made.status).toBe(200)
    expect(await read(b, key.key, `usage/${made.id}`)).toMatchObject({ status: 200, body: { credits: { charged: 3 } } })
  }
  await revokeKey(owner.id, key.id)
  expect((await Promise.all(Array.from({ length: 4 }, () => call(a, key.key)))).map(({ status }) => status)).toEqual([
    ...[401, 401, 401, 401],
  ])
  isOver = true
  const answered = (await callers).flat().filter(({ status }) => status === 200).length + 20
  expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, charged: answered * 3, receipts: answered, holds: 0 })
  expect(await findLedgerDifferences()).toEqual([])
})

it.each(['SIGKILL', 'SIGSTOP'] as const)(
  'charges what a busy key was answered once, though its process gets %s',
  async (signal) => {
    const { owner, key } = await makeCaller(1_000_000, { rpm: 50_000 })
    const web = await start()
    const callers = Array.from({ length: 8 }, () => callOften(web, key.key, () => false))
    await pollUntil('a slice', async () => (await countSlices(owner.id)) > 0)
    await sleep(100)
    web.child.kill(signal)
    await sleep(200)
    await expireLeases()
    await start()
    await pollUntil('the sweep', async () => (await countSlices(owner.id)) === 0)
    if (signal === 'SIGSTOP') {
      web.child.kill('SIGCONT')
      await sleep(500)
    }
    await web.kill('SIGKILL')
    const made = (await Promise.all(callers)).flat()
    await expireLeases()
    await start()
    await pollUntil('the end of all holds', async () => (await readOwnerMoney(owner)).holds === 0)
    const { rows } = await mainPool().query<{ id: string; charged: number }>(
      'SELECT id, charged::int FROM receipt WHERE owner_id = $1 AND charged > 0',
      [owner.id],
    )
    const charged = new Map(rows.map((row) => [row.id, row.charged]))
    // A process that was stopped refuses what it took up before, which is not charged.
    const due = ({ status }: { status: number }) => (status === 200 ? 3 : undefined)
    expect(made.filter((one) => charged.get(one.id) !== due(one))).toEqual([])
    expect(signal === 'SIGSTOP' || made.every(({ status }) => status === 200)).toBe(true)
    // Of each caller, the last call may have been delivered without its answer having been read.
    expect(rows.length).toBeLessThanOrEqual(made.length + callers.length)
    expect(await findLedgerDifferences()).toEqual([])
  },
)

it('writes everything before a clean end', async () => {
  const { owner, key } = await makeCaller(1_000, { rpm: 10_000 })
  const web = await start()
  await Promise.all(Array.from({ length: 20 }, () => call(web, key.key)))
  await web.kill('SIGTERM')
  expect(await readOwnerMoney(owner)).toEqual({ available: 940, held: 0, charged: 60, receipts: 20, holds: 0 })
})
