import { afterEach, describe, expect, it, vi } from 'vitest'
import { mainPool } from '../../server/db'
import { env } from '../../server/env'
import { log } from '../../server/kit/log'
import { COMMAND_LINE } from '../../server/operators/operator'
import { changeOwnerLimits } from '../../server/operators/owner-limits'
import { callQuery, send, withSandbox } from '../support/api'
import { takeHold } from '../support/hold'
import { expectUntouched } from '../support/ledger'
import { mcpFailureOf, sendRpc } from '../support/mcp'
import { makeCaller, makeKey } from '../support/owners'
import { pollUntil } from '../support/poll-until'

const sandbox = withSandbox()
const usual = { OWNER_RPM: env().OWNER_RPM, OWNER_CONCURRENCY: env().OWNER_CONCURRENCY }
afterEach(() => {
  Object.assign(env(), usual)
})

const prices = (key: string) => callQuery(key, 'crypto_get_prices', { coinIds: ['bitcoin'] })
const slow = (key: string) => callQuery(key, 'crypto_get_prices', { coinIds: ['sandbox-slow'] })
const callsOf = async (ownerId: number) =>
  (await mainPool().query<{ calls: number }>('SELECT calls FROM account WHERE owner_id = $1', [ownerId])).rows[0]?.calls

describe('429 of an owner’s requests a minute', () => {
  it('counts all keys together, whatever their own rates, and says how long to wait', async () => {
    Object.assign(env(), { OWNER_RPM: 5 })
    const { owner, key } = await makeCaller()
    const keys = [key, await makeKey(owner, { rpm: 100 }), await makeKey(owner, { rpm: 1 })]
    const first = await Promise.all([0, 1, 2, 0, 1].map((i) => send('/api/v1/key', { key: keys[i]?.key })))
    expect(first.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    for (const { key } of keys.slice(0, 2)) {
      const answer = await send('/api/v1/key', { key })
      expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
      expect(answer.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/)
      expect(answer.headers.get('x-ratelimit-limit-requests')).toBe('5')
      expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    }
  })

  it('leaves other owners alone, and ends with the minute', async () => {
    Object.assign(env(), { OWNER_RPM: 1 })
    const { owner, key } = await makeCaller()
    expect(await send('/api/v1/key', { key: key.key })).toMatchObject({ status: 200 })
    expect(await send('/api/v1/key', { key: key.key })).toMatchObject({ status: 429 })
    expect(await send('/api/v1/key', { key: (await makeCaller()).key.key })).toMatchObject({ status: 200 })
    await mainPool().query(`UPDATE rate_window SET started_at = started_at - interval '60 seconds' WHERE id = $1`, [
      `owner:${owner.id}`,
    ])
    expect(await send('/api/v1/key', { key: key.key })).toMatchObject({ status: 200 })
  })

  it('does not count what a key’s own rate refuses', async () => {
    Object.assign(env(), { OWNER_RPM: 3 })
    const { owner, key } = await makeCaller(1_000, { rpm: 1 })
    const other = await makeKey(owner)
    for (const expected of [200, 429, 429, 429]) {
      expect(await send('/api/v1/key', { key: key.key })).toMatchObject({ status: expected })
    }
    for (const expected of [200, 200, 429]) {
      expect(await send('/api/v1/key', { key: other.key })).toMatchObject({ status: expected })
    }
  })
})

describe('429 of an owner’s calls in progress', () => {
  it('counts all keys together, and is over when a call ends', async () => {
    Object.assign(env(), { OWNER_CONCURRENCY: 2 })
    const { owner, key } = await makeCaller()
    const other = await makeKey(owner)
    const running = [slow(key.key), slow(other.key)]
    await pollUntil('two calls in progress', async () => (await callsOf(owner.id)) === 2)
    const refused = await prices(other.key)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(refused.body).not.toHaveProperty('service')
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(await prices((await makeCaller()).key.key)).toMatchObject({ status: 200 })
    await sandbox.hurry()
    for (const answer of await Promise.all(running)) expect(answer.status).toBe(200)
    expect(await prices(key.key)).toMatchObject({ status: 200 })
    expect(await callsOf(owner.id)).toBe(0)
  })

  it('lets exactly as many of a burst through as are allowed', async () => {
    Object.assign(env(), { OWNER_CONCURRENCY: 4 })
    const { owner, key } = await makeCaller()
    let refused = 0
    const burst = Array.from({ length: 12 }, async () => {
      const answer = await slow(key.key)
      if (answer.status === 429) refused++
      return answer
    })
    await pollUntil('the refusals', () => refused === 8)
    await sandbox.hurry()
    const answers = await Promise.all(burst)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(8)
    expect(await callsOf(owner.id)).toBe(0)
  })

  it('neither counts nor refuses steps of agent runs', async () => {
    Object.assign(env(), { OWNER_CONCURRENCY: 1 })
    const { owner, key } = await makeCaller()
    await takeHold(owner, 1, { channel: 'agent', product: 'agent' })
    expect(await callsOf(owner.id)).toBe(0)
    await takeHold(owner, 1)
    await takeHold(owner, 1, { channel: 'agent', product: 'agent' })
    expect(await callsOf(owner.id)).toBe(1)
    expect(await prices(key.key)).toMatchObject({ status: 429 })
  })
})

/** The fields of the last log line of a handler. */
const lastLine = (lines: { mock: { calls: unknown[][] } }, handler: string) =>
  lines.mock.calls.findLast(([, name]) => name === handler)?.[0]

describe('limits that operators set for one owner', () => {
  const limit = (
    ownerId: number,
    changes: { requestsPerMinute?: number | null; callsInProgress?: number | null; creditsPerDay?: number | null },
  ) => changeOwnerLimits(COMMAND_LINE, { ownerId, ...changes })

  it('go before the settings from the next request on, and leave with the default', async () => {
    Object.assign(env(), { OWNER_RPM: 3 })
    const { owner, key } = await makeCaller()
    expect((await prices(key.key)).headers.get('x-ratelimit-limit-requests')).toBe('3')
    await limit(owner.id, { requestsPerMinute: 2 })
    expect((await prices(key.key)).headers.get('x-ratelimit-remaining-requests')).toBe('0')
    const refused = await prices(key.key)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(refused.body.error).toContain('2 requests a minute')
    await limit(owner.id, { requestsPerMinute: 50 })
    expect((await prices(key.key)).headers.get('x-ratelimit-remaining-requests')).toBe('47')
    await limit(owner.id, { requestsPerMinute: null })
    expect((await prices(key.key)).headers.get('x-ratelimit-limit-requests')).toBe('3')
  })

  it('bound the calls in progress of this owner alone', async () => {
    Object.assign(env(), { OWNER_CONCURRENCY: 3 })
    const { owner, key } = await makeCaller()
    await limit(owner.id, { callsInProgress: 1 })
    const running = slow(key.key)
    await pollUntil('a call in progress', async () => (await callsOf(owner.id)) === 1)
    const refused = await prices(key.key)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(refused.body.error).toContain('has 1 call in progress')
    await limit(owner.id, { callsInProgress: 2 })
    expect(await prices(key.key)).toMatchObject({ status: 200 })
    await sandbox.hurry()
    expect(await running).toMatchObject({ status: 200 })
  })

  it('refuse a call over the credits of a day with 402 and the name of the limit, and charge nothing', async () => {
    const { owner, key } = await makeCaller()
    await limit(owner.id, { creditsPerDay: 2 })
    const lines = vi.spyOn(log, 'info')
    const refused = await prices(key.key)
    expect(refused).toMatchObject({ status: 402, body: { code: 'insufficient_credits', limitSource: 'account_day' } })
    expect(refused.body.error).toContain('daily limit leaves 2')
    expect(refused.body).not.toHaveProperty('service')
    expect(refused.headers.get('retry-after')).toBeNull()
    expect(lastLine(lines, 'rest')).toMatchObject({ status: 402, owner: owner.id, key: key.id })
    await expectUntouched(owner)
    expect((await send('/api/v1/key', { key: key.key })).body).toMatchObject({
      dailyLimit: { credits: 2, spent: 0, held: 0, remaining: 2, resetsAt: expect.stringMatching(/T00:00:00.000Z$/) },
      left: { credits: 2, limitedBy: 'account_day' },
    })
    await limit(owner.id, { creditsPerDay: 3 })
    expect(await prices(key.key)).toMatchObject({ status: 200 })
    expect(await prices(key.key)).toMatchObject({ status: 402, body: { limitSource: 'account_day' } })
  })

  it('lets concurrent calls spend the credits of a day and not one more', async () => {
    const { owner, key } = await makeCaller()
    await limit(owner.id, { creditsPerDay: 20 })
    const answers = await Promise.all(Array.from({ length: 30 }, () => prices(key.key)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6)
    const refused = answers.filter(({ status }) => status === 402)
    expect(refused).toHaveLength(24)
    for (const { body } of refused) expect(body).toMatchObject({ limitSource: 'account_day' })
  })

  it('has owner and key in the log line of a 429, and of a refused tools/call', async () => {
    const { owner, key } = await makeCaller(1_000, { rpm: 1 })
    const lines = vi.spyOn(log, 'info')
    await send('/api/v1/key', { key: key.key })
    expect(await send('/api/v1/key', { key: key.key })).toMatchObject({ status: 429 })
    expect(lastLine(lines, 'rest')).toMatchObject({ status: 429, owner: owner.id, key: key.id })
    const poor = await makeCaller(0)
    const params = { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } }
    const answer = await sendRpc(poor.key.key, { id: 1, method: 'tools/call', params })
    expect(mcpFailureOf(answer)).toMatchObject({ code: 'insufficient_credits' })
    expect(lastLine(lines, 'mcp')).toMatchObject({ status: 200, failure: 402, owner: poor.owner.id, key: poor.key.id })
  })
})
