import { describe, expect, it } from 'vitest'
import { log } from '../../../server/kit/log'
import { send, withSandbox } from '../../support/api'
import { makeChatter } from '../../support/chat'
import { expectUntouched, readOwnerMoney } from '../../support/ledger'
import { makeCaller } from '../../support/owners'
import { askIn, expectOneCharge, onlyReceipt } from '../../support/wires/calls'
import { sceneModel, withFakeProviders } from '../../support/wires/fake-providers'
import { WIRE_NAMES } from '../../support/wires/scene'
import { WIRE_ENDS } from '../../support/wires/wires'

/** What must hold of money at every wire: refusals, limits, retries, and many calls at once. */

log.level = 'silent'
const providers = withFakeProviders()
withSandbox()

const PAIRS = WIRE_NAMES.flatMap((from) => WIRE_NAMES.map((to) => ({ from, to })))
const TEXT = ['Good ', 'day.']

describe.each(WIRE_NAMES)('%s', (wire) => {
  const { client } = WIRE_ENDS[wire]
  const ask = { model: sceneModel(wire), text: 'Hello', limit: 500 }
  const body = client.body(ask, false)
  const refused = async (key: string | undefined, sent: unknown, headers = {}) => {
    providers.play({ text: TEXT, usage: { input: 10, output: 2 } })
    const answer = await send(client.path, { key, body: sent, headers })
    expect(answer.text).not.toContain('service"')
    expect(providers.calls()).toBe(0)
    const { code, message } = client.readError(answer.body)
    expect(message).toMatch(/\S/)
    expect(answer.headers.get('x-request-id')).toMatch(/\S/)
    return { status: answer.status, code }
  }

  it('a refusal has the wire’s envelope and no charge, for every reason', async () => {
    const { owner, key } = await makeChatter(1_000)
    const poor = await makeChatter(3)
    const toolsOnly = await makeCaller(1_000)
    const other = await makeChatter(1_000, { allowedModels: [sceneModel(wire === 'chat' ? 'messages' : 'chat')] })
    expect(await refused(undefined, body)).toEqual({ status: 401, code: 'unauthorized' })
    expect(await refused('tg_wrong', body)).toEqual({ status: 401, code: 'unauthorized' })
    expect(await refused(key.key, { ...body, model: 'no/such' })).toEqual({ status: 400, code: 'unknown_model' })
    expect(await refused(key.key, { model: ask.model })).toEqual({ status: 400, code: 'invalid_request' })
    expect(await refused(key.key, body, { 'content-type': 'text/plain' })).toEqual({
      status: 415,
      code: 'unsupported_media_type',
    })
    expect(await refused(toolsOnly.key.key, body)).toEqual({ status: 403, code: 'forbidden' })
    expect(await refused(other.key.key, body)).toEqual({ status: 403, code: 'forbidden' })
    expect(await refused(poor.key.key, body)).toEqual({ status: 402, code: 'insufficient_credits' })
    const hasty = await makeChatter(1_000, { rpm: 1 })
    await send('/api/v1/key', { key: hasty.key.key })
    expect(await refused(hasty.key.key, body)).toEqual({ status: 429, code: 'rate_limited' })
    for (const caller of [owner, toolsOnly.owner, other.owner, hasty.owner]) await expectUntouched(caller)
    await expectUntouched(poor.owner, 3)
  })

  it('usage beyond the hold is charged at the hold, and the rest is the operator’s loss', async () => {
    const caller = await makeChatter()
    providers.play({ text: TEXT, usage: { input: 50_000, output: 9_000 } })
    const reply = await askIn(wire, caller, ask, true)
    const receipt = await expectOneCharge(caller, reply)
    const { held, charged } = receipt.credits as { held: number; charged: number }
    expect(charged).toBe(held)
    expect((receipt.detail as { loss: number }).loss).toBeGreaterThan(0)
  })

  it('a request without usage is charged for what was counted, and says so', async () => {
    const caller = await makeChatter()
    providers.play({ text: TEXT, usage: { input: -1, output: 2 } })
    const receipt = await expectOneCharge(caller, await askIn(wire, caller, ask, false))
    expect(receipt).toMatchObject({ status: 'ok', detail: { estimated: true } })
  })

  it('a request that is repeated with its Idempotency-Key is charged once', async () => {
    const { owner, key } = await makeChatter()
    providers.play({ text: TEXT, usage: { input: 10, output: 2 } })
    const headers = { 'idempotency-key': 'same' }
    const [first, second] = [
      await send(client.path, { key: key.key, body, headers }),
      await send(client.path, { key: key.key, body, headers }),
    ]
    expect(first.status, first.text).toBe(200)
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(providers.calls()).toBe(1)
    expect((await onlyReceipt(owner)).charged).toBe((first.body.service as { credits_charged: number }).credits_charged)
    const otherWire = WIRE_ENDS[wire === 'chat' ? 'messages' : 'chat'].client
    const elsewhere = await send(otherWire.path, { key: key.key, body: otherWire.body(ask, false), headers })
    expect(elsewhere.status).toBe(422)
  })
})

it('a body that is valid in two wires is not answered with what the other has stored', async () => {
  const { key } = await makeChatter()
  providers.play({ text: TEXT, usage: { input: 10, output: 2 } })
  const body = { model: sceneModel('chat'), max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] }
  const headers = { 'idempotency-key': 'same' }
  const first = await send(WIRE_ENDS.chat.client.path, { key: key.key, body, headers })
  expect(first.status).toBe(200)
  expect((await send(WIRE_ENDS.messages.client.path, { key: key.key, body, headers })).status).toBe(422)
})

describe.each(['balance', 'key budget'] as const)('200 calls at once over every pair, with a %s for ten', (limit) => {
  it('never spend more, and each says the truth', async () => {
    const scene = { text: TEXT, usage: { input: 400, output: 300 } }
    providers.play(scene)
    const asks = PAIRS.map(({ from, to }) => ({ from, ask: { model: sceneModel(to), text: 'Hello', limit: 500 } }))
    const holds: number[] = []
    for (const { from, ask } of asks) {
      const caller = await makeChatter()
      expect((await askIn(from, caller, ask, false)).status).toBe(200)
      holds.push((await onlyReceipt(caller.owner)).held)
    }
    const credits = 10 * Math.max(...holds)
    const caller = await (limit === 'balance' ? makeChatter(credits) : makeChatter(1_000_000, { budget: credits }))
    const granted = limit === 'balance' ? credits : 1_000_000
    const replies = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const { from, ask } = asks[i % asks.length] as (typeof asks)[number]
        return { from, reply: await askIn(from, caller, ask, i % 2 === 0) }
      }),
    )
    const served = replies.filter(({ reply }) => reply.status === 200)
    for (const { from, reply } of replies.filter((each) => !served.includes(each))) {
      expect(reply.status, reply.text).toBe(402)
      expect(WIRE_ENDS[from].client.readError(reply.body).code).toBe('insufficient_credits')
      expect(reply.charges).toEqual([])
    }
    for (const { reply } of served) expect(reply.charges).toHaveLength(1)
    expect(served.length).toBeGreaterThanOrEqual(10)
    expect(served.length).toBeLessThan(200)
    const charged = served.reduce((sum, { reply }) => sum + (reply.charges[0] ?? 0), 0)
    expect(charged).toBeLessThanOrEqual(credits)
    expect(await readOwnerMoney(caller.owner)).toMatchObject({
      charged,
      available: granted - charged,
      held: 0,
      holds: 0,
      receipts: served.length,
    })
  })
})
