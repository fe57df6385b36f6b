import { describe, expect, it } from 'vitest'
import { log } from '../../../server/kit/log'
import { send, waitForCallsToEnd, withSandbox } from '../../support/api'
import { makeChatter, parseSse } from '../../support/chat'
import { expectUnstored } from '../../support/idempotency'
import { readOwnerMoney } from '../../support/ledger'
import { beginStream, onlyReceipt } from '../../support/wires/calls'
import { sceneModel, withFakeProviders } from '../../support/wires/fake-providers'
import { billedEvents, type Scene, WIRE_NAMES } from '../../support/wires/scene'
import { WIRE_ENDS } from '../../support/wires/wires'

log.level = 'silent'
const providers = withFakeProviders()
withSandbox()

const SCENE: Scene = {
  text: ['Good ', 'day.'],
  thought: { text: ['Hm', 'm.'], proof: 'proof' },
  calls: [{ id: 'call_1', name: 'look', args: ['{"a"', ':1}'] }],
  usage: { input: 400, output: 300 },
}
const TOKEN = 'same'

const PAIRS = WIRE_NAMES.flatMap((wire) => WIRE_NAMES.map((provider) => ({ wire, provider })))

describe.each(PAIRS)('a stream of $wire from a provider of $provider', ({ wire, provider }) => {
  const { client } = WIRE_ENDS[wire]
  const ask = { model: sceneModel(provider), text: 'Hello', limit: 500, tools: ['look'] }
  const body = client.body(ask, true)
  const stream = (key: string, given: object = body, token = TOKEN) =>
    send(client.path, { key, body: given, headers: { 'idempotency-key': token } })

  it('is replayed event by event, marked, with no second charge or call', async () => {
    const { owner, key } = await makeChatter()
    providers.play(SCENE)
    const first = await stream(key.key)
    expect(first.headers.has('idempotent-replayed')).toBe(false)
    const before = await readOwnerMoney(owner)
    const again = await stream(key.key)
    expect(again.status).toBe(200)
    expect(again.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(parseSse(again.text).events).toEqual(parseSse(first.text).events)
    const [billed] = billedEvents(parseSse(again.text).events)
    expect(billed?.service).toEqual({ credits_charged: before.charged })
    expect(before.charged).toBeGreaterThan(0)
    expect(client.readStream(parseSse(again.text).events).text).toBe('Good day.')
    expect(providers.calls()).toBe(1)
    expect(await readOwnerMoney(owner)).toEqual(before)
    expect(before).toMatchObject({ receipts: 1, held: 0, holds: 0 })
  })
})

describe.each(WIRE_NAMES)('a stream of %s with an Idempotency-Key', (wire) => {
  const { client } = WIRE_ENDS[wire]
  const ask = { model: sceneModel(wire), text: 'Hello', limit: 500 }
  const body = client.body(ask, true)
  const stream = (key: string, given: object = body) =>
    send(client.path, { key, body: given, headers: { 'idempotency-key': TOKEN } })

  it('is 409 while it is in progress, 422 for another body or without a stream', async () => {
    const { owner, key } = await makeChatter()
    providers.play({ ...SCENE, fault: 'silent' })
    const begun = await beginStream(wire, { owner, key }, { ...ask, headers: { 'idempotency-key': TOKEN } })
    await expect.poll(providers.calls).toBe(1)
    const second = await stream(key.key)
    expect(second.status).toBe(409)
    expect(client.readError(second.body).code).toBe('conflict')
    expect(second.text).not.toContain('service"')
    for (const other of [client.body({ ...ask, text: 'Bye' }, true), client.body(ask, false)])
      expect(await stream(key.key, other)).toMatchObject({ status: 422 })
    begun.leave()
    await waitForCallsToEnd()
    expect(providers.calls()).toBe(1)
  })

  it('that broke after it was charged is replayed with its error', async () => {
    const { owner, key } = await makeChatter()
    providers.play({ ...SCENE, fault: 'error' })
    const first = await stream(key.key)
    const failure = client.failureIn(parseSse(first.text).events)
    const { charged } = await readOwnerMoney(owner)
    expect(failure).toMatchObject({ service: { credits_charged: charged } })
    expect(charged).toBeGreaterThan(0)
    const again = await stream(key.key)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const withoutId = (text: string) => text.replaceAll(/"request_id":"[^"]*"/g, '')
    expect(withoutId(again.text)).toBe(withoutId(first.text))
    expect(providers.calls()).toBe(1)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged, receipts: 1 })
  })

  it('whose client left is replayed as far as it was charged, and says that it ended early', async () => {
    const { owner, key } = await makeChatter()
    providers.play({ ...SCENE, fault: 'silent after text' })
    const begun = await beginStream(wire, { owner, key }, { ...ask, headers: { 'idempotency-key': TOKEN } })
    await begun.readUntil('Good')
    begun.leave()
    await expect.poll(async () => (await readOwnerMoney(owner)).receipts).toBe(1)
    const { charged, status } = await onlyReceipt(owner)
    expect(status).toBe('failed')
    expect(charged).toBeGreaterThan(0)
    const again = await stream(key.key)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.text).toContain('Good')
    expect(again.text).toContain('new Idempotency-Key')
    const failure = client.failureIn(parseSse(again.text).events)
    expect(failure).toMatchObject({ service: { credits_charged: charged } })
    expect(providers.calls()).toBe(1)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged, receipts: 1, holds: 0 })
  })

  it('whose client left before it began is replayed as its error, with the charge of the prompt', async () => {
    const { owner, key } = await makeChatter()
    providers.play({ ...SCENE, fault: 'silent' })
    const begun = await beginStream(wire, { owner, key }, { ...ask, headers: { 'idempotency-key': TOKEN } })
    await expect.poll(providers.calls).toBe(1)
    begun.leave()
    await waitForCallsToEnd()
    const { charged } = await onlyReceipt(owner)
    expect(charged).toBeGreaterThan(0)
    const again = await stream(key.key)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const { events } = parseSse(again.text)
    expect(client.failureIn(events)).toMatchObject({ service: { credits_charged: charged } })
    expect(billedEvents(events)).toHaveLength(1)
    expect(providers.calls()).toBe(1)
  })

  it('that was refused or cost nothing leaves its key free', async () => {
    const { owner, key } = await makeChatter()
    providers.play({ ...SCENE, fault: { status: 500, message: 'no' } }, SCENE)
    expect(await stream(key.key)).toMatchObject({ status: 502 })
    const again = await stream(key.key)
    expect(again.status).toBe(200)
    expect(again.headers.has('idempotent-replayed')).toBe(false)
    expect(await readOwnerMoney(owner)).toMatchObject({ receipts: 2, holds: 0 })
  })

  it('beyond 4 MiB says in a comment that it is not stored; a repeat is 409, and charges nothing', async () => {
    const { owner, key } = await makeChatter()
    // Few tokens for their length: what is more than was asked for would be cut.
    const piece = '-'.repeat(240_000)
    const wide = client.body({ ...ask, limit: 60_000 }, true)
    providers.play({ text: Array(20).fill(piece), usage: { input: 10, output: 20 } })
    const first = await stream(key.key, wide)
    expect(first.headers.has('idempotency-stored')).toBe(false)
    const { events, comments } = parseSse(first.text)
    expect(comments).toContain('idempotency-stored: false')
    expect(client.readStream(events).text).toHaveLength(20 * piece.length)
    const before = await readOwnerMoney(owner)
    expect(billedEvents(events)[0]?.service).toEqual({ credits_charged: before.charged })
    expectUnstored(first, await stream(key.key, wide))
    expect(await readOwnerMoney(owner)).toEqual(before)
    expect(providers.calls()).toBe(1)
  })
})
