import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { log } from '../../../server/kit/log'
import { countTokens } from '../../../server/models/tokens'
import { waitForCallsToEnd, withSandbox } from '../../support/api'
import { makeChatter } from '../../support/chat'
import { readOwnerMoney } from '../../support/ledger'
import { askIn, beginStream, expectOneCharge, onlyReceipt } from '../../support/wires/calls'
import { sceneModel, withFakeProviders } from '../../support/wires/fake-providers'
import { type JsonObject, type Scene, WIRE_NAMES } from '../../support/wires/scene'
import { WIRE_ENDS } from '../../support/wires/wires'

/** Every wire in by every wire out: what goes wrong, and clients that disconnect. */

log.level = 'silent'
const providers = withFakeProviders()
withSandbox()

const PAIRS = WIRE_NAMES.flatMap((from) => WIRE_NAMES.map((to) => ({ from, to })))
const TEXT = ['Good ', 'day ', 'to ', 'you.']
const USAGE = { input: 1_000, output: 40 }
const LONG_PROMPT = 'A long story. '.repeat(200)

describe.each(PAIRS)('from $from to $to', ({ from, to }) => {
  const { client } = WIRE_ENDS[from]
  const ask = { model: sceneModel(to), text: LONG_PROMPT, limit: 500 }
  const play = (fault: Scene['fault']) => providers.play({ text: TEXT, usage: USAGE, fault })

  it.each([
    [false, 400],
    [true, 422],
  ])('a mistake of the caller’s is a 400 with its reason, and costs nothing (stream %s)', async (isStream, status) => {
    const caller = await makeChatter()
    play({ status, message: 'theirs takes no stories for req_011CSHoEeqs5C35K2UUqR7Fy' })
    const reply = await askIn(from, caller, ask, isStream)
    expect(reply.status).toBe(400)
    expect(client.readError(reply.body)).toMatchObject({
      code: 'invalid_request',
      message: `${ask.model} takes no stories for …`,
    })
    expect(reply.charges).toEqual([])
    expect(await readOwnerMoney(caller.owner)).toMatchObject({ charged: 0, held: 0, holds: 0 })
    expect(await onlyReceipt(caller.owner)).toMatchObject({ status: 'void', charged: 0, channel: from })
  })

  it.each([
    [false, 500],
    [true, 529],
    [false, 401],
  ])('a failure before the answer is a 502 without a charge (stream %s, %i)', async (isStream, status) => {
    const caller = await makeChatter()
    play({ status, message: 'secret' })
    const reply = await askIn(from, caller, ask, isStream)
    expect(reply.status).toBe(502)
    expect(client.readError(reply.body)).toMatchObject({ code: 'upstream_error' })
    expect(reply.text).not.toContain('secret')
    expect(reply.charges).toEqual([])
    expect(await onlyReceipt(caller.owner)).toMatchObject({ status: 'void', charged: 0 })
  })

  it('a failure in the middle is the last event, with the charge of what came', async () => {
    const caller = await makeChatter()
    play('error')
    const reply = await askIn(from, caller, ask, true)
    expect(reply.status).toBe(200)
    const failure = client.failureIn(reply.events)
    expect(client.readError(failure ?? {})).toMatchObject({ code: 'upstream_error' })
    expect(failure).toHaveProperty('service')
    expect(reply.text).toContain('Good ')
    expect(reply.text).not.toContain('day ')
    const receipt = await expectOneCharge(caller, reply)
    expect(receipt).toMatchObject({ status: 'failed', detail: { estimated: true } })
    expect((receipt.detail as JsonObject).outputTokens).toBe(await countTokens('Good '))
  })

  it.each([
    ['before the headers', 'silent', '', null],
    ['in the middle', 'silent after text', 'Good ', 'Good '],
    ['after the last token, before the usage', 'silent before usage', TEXT.join(''), 'you.'],
  ] as const)(
    'a client that disconnects %s ends the upstream, and pays what came',
    async (_when, fault, came, last) => {
      const caller = await makeChatter()
      play(fault)
      const stream = await beginStream(from, caller, ask)
      if (last === null) {
        await expect.poll(providers.calls).toBe(1)
        // The provider has the whole request; our socket learns of it a moment later.
        await sleep(50)
      } else await stream.readUntil(last)
      stream.leave()
      await expect.poll(providers.closed).toBe(1)
      await waitForCallsToEnd()
      const receipt = await onlyReceipt(caller.owner)
      const prompt = (await countTokens(LONG_PROMPT)) as number
      expect(receipt).toMatchObject({ status: 'failed', channel: from, detail: { estimated: true } })
      expect(receipt.detail.outputTokens).toBe(await countTokens(came))
      expect(receipt.detail.inputTokens).toBeGreaterThanOrEqual(prompt)
      expect(receipt.charged).toBeGreaterThan(0)
      expect(receipt.charged).toBeLessThanOrEqual(receipt.held)
      expect(await readOwnerMoney(caller.owner)).toMatchObject({ charged: receipt.charged, held: 0, holds: 0 })
    },
  )

  it('a client that disconnects from an answer that is not streamed is charged for the prompt', async () => {
    const caller = await makeChatter()
    play('silent')
    const leaving = new AbortController()
    const asking = askIn(from, caller, ask, false, leaving.signal).catch(() => {})
    await expect.poll(providers.calls).toBe(1)
    await sleep(50)
    leaving.abort()
    await expect.poll(providers.closed).toBe(1)
    await asking
    await waitForCallsToEnd()
    const receipt = await onlyReceipt(caller.owner)
    expect(receipt).toMatchObject({ status: 'failed', detail: { estimated: true, outputTokens: 0 } })
    expect(await readOwnerMoney(caller.owner)).toMatchObject({ charged: receipt.charged, held: 0, holds: 0 })
  })
})
