import { describe, expect, it } from 'vitest'
import { sweepHolds } from '../../server/credits/sweep'
import { mainPool } from '../../server/db'
import { callQuery, send, withSandbox } from '../support/api'
import { makeChatter, scriptedBody, sendChat } from '../support/chat'
import { withFakeUpstream } from '../support/fake-upstream'
import { expectUnstored } from '../support/idempotency'
import { expireLeases, readOwnerMoney } from '../support/ledger'
import { makeCaller, type TestOwner } from '../support/owners'
import { pollUntil } from '../support/poll-until'

const sandbox = withSandbox()
const fake = withFakeUpstream()
const MIB = 1024 * 1024
const withKey = (token: string) => ({ 'idempotency-key': token })

/** A completion of so many MiB and some more, in which some characters are two bytes. */
const complete = (key: string, mib: number, token: string) => {
  const content = 'lorem ipsum é '.repeat((mib * MIB) / 14)
  const message = { role: 'assistant', content }
  fake.play((_req, res) => {
    const usage = { prompt_tokens: 5, completion_tokens: 7 }
    const body = { id: 'c', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }], usage }
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  return sendChat(key, scriptedBody({}, { model: 'upstream/one' }), withKey(token))
}

const hoursOf = async ({ id }: TestOwner) =>
  (await mainPool().query('SELECT bytes::float8 AS bytes FROM idempotency_hour WHERE owner_id = $1', [id])).rows

describe('an answer of up to 4 MiB', () => {
  it('is stored whole and replayed', async () => {
    const { owner, key } = await makeChatter()
    const first = await complete(key.key, 3.5, 'a')
    expect(Buffer.byteLength(first.text)).toBeGreaterThan(3.5 * MIB)
    expect(first.headers.has('idempotency-stored')).toBe(false)
    const before = await readOwnerMoney(owner)
    const again = await complete(key.key, 3.5, 'a')
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.text === first.text).toBe(true)
    expect(await readOwnerMoney(owner)).toEqual(before)
    const [{ bytes }] = await hoursOf(owner)
    expect(bytes).toBeGreaterThan(3.5 * MIB)
    expect(bytes).toBeLessThan(Buffer.byteLength(first.text))
  })
})

describe('an answer beyond 4 MiB', () => {
  it('says that it is not stored; a repeat is 409 with its id, and charges nothing', async () => {
    const { owner, key } = await makeChatter()
    const first = await complete(key.key, 3.9, 'a')
    expect(first.status).toBe(200)
    expect(first.text.length).toBeLessThan(4 * MIB)
    expect(Buffer.byteLength(first.text)).toBeGreaterThan(4 * MIB)
    expect(first.headers.get('idempotency-stored')).toBe('false')
    const before = await readOwnerMoney(owner)
    const again = await complete(key.key, 3.9, 'a')
    expectUnstored(first, again)
    const receipt = await send(`/api/v1/usage/${first.headers.get('x-request-id')}`, { key: key.key })
    expect(receipt).toMatchObject({ status: 200, body: { credits: { charged: before.charged } } })
    expect(await readOwnerMoney(owner)).toEqual(before)
    expect(before.receipts).toBe(1)
  })
})

describe('an account whose stored answers have reached 4 GiB', () => {
  const fill = (owner: TestOwner, hoursAgo: number) =>
    mainPool().query(
      `INSERT INTO idempotency_hour (owner_id, hour, bytes)
       VALUES ($1, date_trunc('hour', now()) - make_interval(hours => $2), 4294967296)`,
      [owner.id, hoursAgo],
    )
  const prices = { coinIds: ['bitcoin'] }

  it('is answered as ever, and the response says so; a repeat is 409, and charges nothing', async () => {
    const { owner, key } = await makeCaller(1_000, { llm: true })
    await callQuery(key.key, 'crypto_get_prices', prices, withKey('earlier'))
    await fill(owner, 3)
    const first = await callQuery(key.key, 'crypto_get_prices', prices, withKey('a'))
    expect(first).toMatchObject({ status: 200, body: { service: { credits_charged: 3 } } })
    expect(first.headers.get('idempotency-stored')).toBe('false')
    expectUnstored(first, await callQuery(key.key, 'crypto_get_prices', prices, withKey('a')))
    const failed = await callQuery(key.key, 'crypto_get_prices', { coinIds: ['sandbox-html'] }, withKey('b'))
    expect(failed.status).toBe(502)
    expect(failed.headers.get('idempotency-stored')).toBe('false')
    const streamed = await sendChat(key.key, scriptedBody({ text: 'ok' }, { stream: true }), withKey('c'))
    expect(streamed.status).toBe(200)
    expect(streamed.headers.get('idempotency-stored')).toBe('false')
    const earlier = await callQuery(key.key, 'crypto_get_prices', prices, withKey('earlier'))
    expect(earlier).toMatchObject({ status: 200 })
    expect(await sandbox.calls()).toBe(4)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 10, receipts: 4 })
  })

  it('stores again when they are a day old', async () => {
    const { owner, key } = await makeCaller()
    await fill(owner, 25)
    const first = await callQuery(key.key, 'crypto_get_prices', prices, withKey('a'))
    expect(first.headers.has('idempotency-stored')).toBe(false)
    const again = await callQuery(key.key, 'crypto_get_prices', prices, withKey('a'))
    expect(again).toMatchObject({ status: 200, body: first.body })
  })
})

it('large answers replayed in one moment are bounded: the others are 409, and nothing is charged', async () => {
  const { owner, key } = await makeChatter()
  const first = await complete(key.key, 3.5, 'a')
  const before = await readOwnerMoney(owner)
  const answers = await Promise.all(Array.from({ length: 12 }, () => complete(key.key, 3.5, 'a')))
  for (const { status, text } of answers) {
    if (status === 200) expect(text === first.text).toBe(true)
    else expect(status).toBe(409)
  }
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  expect(await readOwnerMoney(owner)).toEqual(before)
})

describe('an answer whose call lost its hold to a sweep and its Idempotency-Key to a repeat', () => {
  const slow = {
    query: (key: string) => callQuery(key, 'crypto_get_prices', { coinIds: ['sandbox-slow'] }, withKey('a')),
    chat: (key: string) => sendChat(key, scriptedBody({ text: 'Late.', delayMs: 4_000 }), withKey('a')),
  }
  it.each(Object.entries(slow))('says that it is not stored: %s', async (_, call) => {
    const { owner, key } = await makeChatter()
    const first = call(key.key)
    await pollUntil('its hold', async () => (await readOwnerMoney(owner)).holds === 1)
    await expireLeases()
    await sweepHolds()
    const both = Promise.all([first, call(key.key)])
    await pollUntil('the hold of the repeat', async () => (await readOwnerMoney(owner)).holds === 1)
    await sandbox.hurry()
    const answers = await both
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers.map(({ headers }) => headers.get('idempotency-stored'))).toEqual(['false', null])
    expect(await readOwnerMoney(owner)).toMatchObject({ receipts: 2, holds: 0 })
  })
})
