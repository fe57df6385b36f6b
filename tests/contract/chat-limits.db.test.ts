import { describe, expect, it } from 'vitest'
import { mainPool } from '../../server/db'
import { withSandbox } from '../support/api'
import {
  creditsAtChatModel,
  expectChatError,
  makeChatter,
  receiptOf,
  sandboxUpstream,
  scriptedBody,
  sendChat,
  sendStreamedChat,
} from '../support/chat'
import { expectUntouched, readOwnerMoney } from '../support/ledger'

withSandbox()
const heldFor = async (key: string, answer: Parameters<typeof receiptOf>[1]) =>
  ((await receiptOf(key, answer)).credits as { held: number }).held
const LONG = 'All work and no play makes for a dull afternoon. '.repeat(400)
const SOME = 'All work and no play makes for a dull afternoon. '.repeat(20)

describe('the limit a caller sets', () => {
  it.each(['max_tokens', 'max_completion_tokens'])('as %s is held for and goes upstream as it came', async (name) => {
    const { key } = await makeChatter()
    const answer = await sendChat(key.key, scriptedBody({ text: SOME }, { [name]: 100 }))
    expect(answer.body).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 100 } })
    expect((await sandboxUpstream.last()).body[name]).toBe(100)
    const held = await heldFor(key.key, answer)
    expect(held).toBeGreaterThanOrEqual(creditsAtChatModel(0, 100))
    expect(held).toBeLessThanOrEqual(creditsAtChatModel(500, 100))
  })

  it('max_completion_tokens wins over max_tokens', async () => {
    const { key } = await makeChatter()
    const answer = await sendChat(
      key.key,
      scriptedBody({ text: SOME }, { max_tokens: 100_000, max_completion_tokens: 100 }),
    )
    expect(answer.body).toMatchObject({ usage: { completion_tokens: 100 } })
    expect((await sandboxUpstream.last()).body).toMatchObject({ max_completion_tokens: 100 })
    expect((await sandboxUpstream.last()).body).not.toHaveProperty('max_tokens')
    expect(await heldFor(key.key, answer)).toBeLessThanOrEqual(creditsAtChatModel(500, 100))
  })

  it('is held n times for n choices', async () => {
    const { key } = await makeChatter()
    const one = await heldFor(key.key, await sendChat(key.key, scriptedBody({}, { max_tokens: 10_000 })))
    const eight = await heldFor(key.key, await sendChat(key.key, scriptedBody({}, { max_tokens: 10_000, n: 8 })))
    expect(eight - one).toBeGreaterThanOrEqual(creditsAtChatModel(0, 70_000) - 1)
    expect(eight - one).toBeLessThanOrEqual(creditsAtChatModel(0, 70_000) + 1)
  })

  it('is held for besides the prompt, tool definitions and the response schema', async () => {
    const { key } = await makeChatter()
    const plain = await heldFor(key.key, await sendChat(key.key, scriptedBody({}, { max_tokens: 10 })))
    const tools = [{ type: 'function', function: { name: 'f', description: LONG, parameters: {} } }]
    const schema = { type: 'json_schema', json_schema: { name: 's', schema: { type: 'object', description: LONG } } }
    for (const more of [{ tools }, { response_format: schema }, { x_unknown: LONG }]) {
      const held = await heldFor(key.key, await sendChat(key.key, scriptedBody({}, { max_tokens: 10, ...more })))
      expect(held - plain).toBeGreaterThan(creditsAtChatModel(3_500, 0))
    }
  })
})

describe('a missing limit', () => {
  it('is the model’s default, sent upstream', async () => {
    const { key } = await makeChatter(100_000_000)
    for (const [model, limit] of [
      ['northwind/gale-4', 16_384],
      ['alpenglow/edelweiss-large', 8_192],
      ['alpenglow/edelweiss-small', 8_192],
      ['tidepool/kelp-reasoner', 32_768],
      ['lantern/wick-tiny', 512],
    ]) {
      expect(await sendChat(key.key, scriptedBody({ text: 'ok' }, { model }))).toMatchObject({ status: 200 })
      expect((await sandboxUpstream.last()).body.max_completion_tokens).toBe(limit)
    }
  })

  it.each([
    ['balance', 100, {}],
    ['key_budget', 1_000_000, { budget: 100 }],
  ])('is what the %s can pay, sent upstream, and never costs more', async (_source, credits, settings) => {
    const { owner, key } = await makeChatter(credits, settings)
    const answer = await sendChat(
      key.key,
      scriptedBody({ text: LONG, usage: { prompt_tokens: 9_000, completion_tokens: 9_000 } }),
    )
    expect(answer.status).toBe(200)
    const limit = (await sandboxUpstream.last()).body.max_completion_tokens as number
    expect(limit).toBeGreaterThan(1_500)
    expect(limit).toBeLessThanOrEqual(2_500)
    expect((answer.body.service as { credits_charged: number }).credits_charged).toBe(100)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 100, held: 0, available: credits - 100 })
  })

  it('is shared by n choices', async () => {
    const { key } = await makeChatter(100)
    await sendChat(key.key, scriptedBody({ text: 'ok' }, { n: 4 }))
    const limit = (await sandboxUpstream.last()).body.max_completion_tokens as number
    expect(limit).toBeGreaterThan(600)
    expect(limit).toBeLessThanOrEqual(750)
  })

  it('goes upstream when streaming too', async () => {
    const { key } = await makeChatter(100)
    await sendStreamedChat(key.key, scriptedBody({ text: 'ok' }))
    expect((await sandboxUpstream.last()).body.max_completion_tokens).toBeLessThanOrEqual(3_000)
  })

  it('is 402 for who cannot pay prompt and 16 tokens, and not for who just can', async () => {
    const prompt = { messages: [{ role: 'user', content: LONG }] }
    const { key: rich } = await makeChatter()
    const one = await sendChat(rich.key, scriptedBody({}, { ...prompt, max_tokens: 16 }))
    const needed = await heldFor(rich.key, one)
    expect(needed).toBeGreaterThan(30)

    const { owner, key } = await makeChatter(needed - 1)
    const refused = await sendChat(key.key, scriptedBody({}, prompt))
    expectChatError(refused, 402, 'insufficient_credits', 'insufficient_quota')
    expect(refused.body.error).toMatchObject({ limitSource: 'balance' })
    await expectUntouched(owner, needed - 1)

    const enough = await makeChatter(needed)
    expect(await sendChat(enough.key.key, scriptedBody({}, prompt))).toMatchObject({ status: 200 })
    const limit = (await sandboxUpstream.last()).body.max_completion_tokens as number
    expect(limit).toBeGreaterThanOrEqual(16)
    expect(limit).toBeLessThan(60)
  })
})

describe('402', () => {
  it.each([
    ['without a stream', false],
    ['before a stream', true],
  ])('names the balance %s: nothing runs, nothing stays held', async (_name, stream) => {
    const { owner, key } = await makeChatter(10)
    const answer = await sendChat(key.key, scriptedBody({}, { max_tokens: 10_000, stream }))
    expectChatError(answer, 402, 'insufficient_credits', 'insufficient_quota')
    expect(answer.body.error).toMatchObject({ limitSource: 'balance' })
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await sandboxUpstream.calls()).toBe(0)
    await expectUntouched(owner, 10)
  })

  it('names the key’s budget when that ends first', async () => {
    const { owner, key } = await makeChatter(1_000_000, { budget: 10 })
    const answer = await sendChat(key.key, scriptedBody({}, { max_tokens: 10_000 }))
    expect(answer).toMatchObject({ status: 402, body: { error: { limitSource: 'key_budget' } } })
    await expectUntouched(owner, 1_000_000)
  })

  it('is answered while other calls hold the credits for longer than 2 s, with when to come again', async () => {
    const { owner, key } = await makeChatter(creditsAtChatModel(500, 1_000))
    const running = sendChat(key.key, scriptedBody({ delayMs: 5_000, text: 'ok' }, { max_tokens: 900 }))
    await expect.poll(async () => (await readOwnerMoney(owner)).held).toBeGreaterThan(20)
    const refused = await sendChat(key.key, scriptedBody({}, { max_tokens: 900 }))
    expect(refused).toMatchObject({ status: 402, body: { error: { limitSource: 'balance' } } })
    expect((refused.body.error as { reserved: number }).reserved).toBeGreaterThan(20)
    expect(refused.headers.get('retry-after')).toBe('2')
    expect(await running).toMatchObject({ status: 200 })
    expect(await sendChat(key.key, scriptedBody({ text: 'ok' }, { max_tokens: 900 }))).toMatchObject({ status: 200 })
  })

  it('is not answered where they end soon: the call waits', async () => {
    const { owner, key } = await makeChatter(creditsAtChatModel(500, 1_000))
    const running = sendChat(key.key, scriptedBody({ delayMs: 700, text: 'ok' }, { max_tokens: 900 }))
    await expect.poll(async () => (await readOwnerMoney(owner)).held).toBeGreaterThan(20)
    expect(await sendChat(key.key, scriptedBody({ text: 'ok' }, { max_tokens: 900 }))).toMatchObject({ status: 200 })
    expect(await running).toMatchObject({ status: 200 })
  })

  it('is answered to a limit no money can buy', async () => {
    const { owner, key } = await makeChatter(1_000)
    expect(await sendChat(key.key, scriptedBody({}, { max_tokens: 1_000_000_000, n: 8 }))).toMatchObject({
      status: 402,
    })
    await expectUntouched(owner)
  })

  it('never lets concurrent calls overspend', async () => {
    const { owner, key } = await makeChatter(90)
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        sendChat(key.key, scriptedBody({ text: 'ok', usage: 'x10' }, { max_tokens: 300 })),
      ),
    )
    expect(answers.filter((a) => a.status === 402).length).toBeGreaterThan(0)
    const { available, held, charged } = await readOwnerMoney(owner)
    expect([available + charged, held]).toEqual([90, 0])
    const { rows } = await mainPool().query('SELECT spent::int FROM "key" WHERE id = $1', [key.id])
    expect(rows[0].spent).toBe(charged)
  })
})
