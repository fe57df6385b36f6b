import OpenAI, { BadRequestError, NotFoundError } from 'openai'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expiredModelResponses } from '../../server/chat/responses/expired'
import { reencryptResponses } from '../../server/chat/responses/seal'
import { sweepHolds } from '../../server/credits/sweep'
import { prisma } from '../../server/db'
import { env } from '../../server/env'
import { send, withSandbox } from '../support/api'
import { makeChatter, sandboxUpstream } from '../support/chat'
import { expireHolder, expireLeases, readOwnerMoney } from '../support/ledger'
import { sharedListener } from '../support/listener'
import { makeKey, type TestOwner } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { scriptedResponse, scriptedText, sendResponses } from '../support/responses'
import { modelOf, withWireModels } from '../support/wire-models'

withWireModels(['chat', 'responses', 'messages'])
withSandbox()

type Json = Record<string, unknown>

let baseURL: string
let owner: TestOwner
let apiKey: string
beforeAll(async () => {
  baseURL = `${(await sharedListener()).url}/api/v1`
})
beforeEach(async () => {
  const made = await makeChatter()
  owner = made.owner
  apiKey = made.key.key
})

const client = (key = apiKey) => new OpenAI({ baseURL, apiKey: key, maxRetries: 0 })
const service = (response: object) => (response as { service?: Json }).service
const hosted = { type: 'web_search' as const }

describe.each(['chat', 'responses', 'messages'] as const)('with an upstream that speaks %s', (wire) => {
  const model = modelOf(wire)
  const create = (input: OpenAI.Responses.ResponseCreateParamsNonStreaming['input'], more: object = {}) =>
    client().responses.create({ model, input, ...more })
  const messages = async () => {
    const { body } = await sandboxUpstream.last()
    return JSON.stringify(body.messages ?? body.input)
  }

  it('continues a response, charges its history as if it were sent, and gives it back', async () => {
    const first = await create(scriptedText({ text: 'A swan.' }, 'What bird? '.repeat(400)))
    expect(first).toMatchObject({ store: true, id: expect.stringMatching(/^resp_[0-9a-f]{32}$/) })
    const second = await create(scriptedText({ text: 'White.' }, 'Which colour?'), { previous_response_id: first.id })
    expect(second).toMatchObject({ previous_response_id: first.id, output_text: 'White.' })
    expect(await messages()).toMatch(/What bird\?.*A swan\..*Which colour\?/s)
    expect(second.usage?.input_tokens).toBeGreaterThan(first.usage?.input_tokens ?? 0)
    const third = await create(scriptedText({ text: 'Yes.' }, 'Sure?'), { previous_response_id: second.id })
    expect(await messages()).toMatch(/What bird\?.*A swan\..*Which colour\?.*White\..*Sure\?/s)
    const sum = [first, second, third].reduce((all, each) => all + Number(service(each)?.credits_charged), 0)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: sum, receipts: 3, held: 0 })

    expect(await client().responses.retrieve(second.id)).toEqual(second)
    const listed = await client().responses.inputItems.list(second.id, { order: 'asc' })
    expect(listed.data.map(({ type }) => type)).toEqual(['message', 'message', 'message'])
    const [newest] = (await client().responses.inputItems.list(second.id, { limit: 1 })).data
    expect(JSON.stringify(newest)).toContain('Which colour?')
    expect((await readOwnerMoney(owner)).charged).toBe(sum)

    await client().responses.delete(second.id)
    await expect(client().responses.retrieve(second.id)).rejects.toThrow(NotFoundError)
    await expect(create('x', { previous_response_id: third.id })).rejects.toThrow(NotFoundError)
  })

  it('puts items in place of references, from answers and from inputs', async () => {
    const tools = [{ type: 'function' as const, name: 'f', parameters: { type: 'object' }, strict: false }]
    const asked = scriptedText({ turns: [{ toolCalls: [{ name: 'f', arguments: { a: 1 } }] }, { text: 'Done.' }] })
    const first = await create(asked, { tools })
    const call = first.output.find(({ type }) => type === 'function_call') as { id: string; call_id: string }
    const [said] = (await client().responses.inputItems.list(first.id)).data
    const second = await create(
      [
        { type: 'item_reference', id: String(said?.id) },
        { type: 'item_reference', id: call.id },
        { type: 'function_call_output', call_id: call.call_id, output: '5' },
      ],
      { tools },
    )
    expect(second.output_text).toBe('Done.')
    const other = await makeChatter()
    const foreign = client(other.key.key).responses.create({ model, input: [{ type: 'item_reference', id: call.id }] })
    await expect(foreign).rejects.toMatchObject({ status: 404, param: 'input[0]' })
  })

  it('keeps a stream, also one whose client disconnects', async () => {
    const stream = client().responses.stream({ model, input: scriptedText({ text: 'one two three' }) })
    const { id } = await stream.finalResponse()
    expect(await client().responses.retrieve(id)).toMatchObject({ status: 'completed', output_text: 'one two three' })

    const cut = await client().responses.create({
      model,
      input: scriptedText({ text: 'word '.repeat(200), chunkDelayMs: 20 }),
      stream: true,
    })
    let cutId = ''
    let pieces = 0
    for await (const event of cut) {
      if (event.type === 'response.created') cutId = event.response.id
      if (event.type === 'response.output_text.delta' && ++pieces === 5) break
    }
    const kept = await pollUntil('a cut response is kept', () =>
      client()
        .responses.retrieve(cutId)
        .catch(() => null),
    )
    expect(kept).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'client_disconnected' } })
    expect(kept.output_text).toMatch(/^(word ?){5}/)
    expect(service(kept)).toEqual({ credits_charged: (await readOwnerMoney(owner)).charged - 1 })
    const next = await create(scriptedText({ text: 'More.' }), { previous_response_id: cutId })
    expect(next.output_text).toBe('More.')
  })

  it('goes on in a conversation', async () => {
    const conversation = await client().conversations.create({
      items: [{ type: 'message', role: 'user', content: 'My name is Ada.' }],
      metadata: { topic: 'names' },
    })
    await create(scriptedText({ text: 'Hello Ada.' }), { conversation: conversation.id })
    const second = await create(scriptedText({ text: 'Ada.' }, 'Who am I?'), { conversation: { id: conversation.id } })
    expect(second).toMatchObject({ conversation: { id: conversation.id } })
    expect(await messages()).toMatch(/My name is Ada\..*Hello Ada\..*Who am I\?/s)
    const listed = await client().conversations.items.list(conversation.id, { order: 'asc' })
    expect(listed.data).toHaveLength(5)
    await client().conversations.items.delete(String(listed.data[4]?.id), { conversation_id: conversation.id })
    await client().conversations.items.create(conversation.id, {
      items: [{ type: 'message', role: 'user', content: 'Once more.' }],
    })
    const after = await client().conversations.items.list(conversation.id, { order: 'asc' })
    expect(JSON.stringify(after.data)).toMatch(/Who am I\?.*Once more\./)
    expect(after.data).toHaveLength(5)
    expect(await client().conversations.retrieve(conversation.id)).toMatchObject({ metadata: { topic: 'names' } })
    await client().conversations.delete(conversation.id)
    await expect(client().conversations.retrieve(conversation.id)).rejects.toThrow(NotFoundError)
    expect(await client().responses.retrieve(second.id)).toMatchObject({ status: 'completed', output: [] })
  })

  it('answers in the background, once charged', async () => {
    const queued = await create(scriptedText({ text: 'At last.', chunkDelayMs: 10 }), { background: true })
    expect(queued).toMatchObject({ status: 'queued', background: true, store: true })
    expect(service(queued)).toBeUndefined()
    const done = await pollUntil('the response is completed', async () => {
      const response = await client().responses.retrieve(queued.id)
      return response.status === 'completed' ? response : null
    })
    expect(done.output_text).toBe('At last.')
    const { charged, held, receipts } = await readOwnerMoney(owner)
    expect({ held, receipts }).toEqual({ held: 0, receipts: 1 })
    expect(service(done)).toEqual({ credits_charged: charged })
    const next = await create(scriptedText({ text: 'And on.' }), { previous_response_id: queued.id })
    expect(next.output_text).toBe('And on.')
  })
})

describe('in the background', () => {
  const model = modelOf('chat')
  const ask = (script: Json, headers: Record<string, string> = {}) =>
    sendResponses(apiKey, scriptedResponse(script, { model, background: true }), headers)
  const readAs = (wanted: string, id: unknown) =>
    pollUntil(`the response is ${wanted}`, async () => {
      const body = await read(id)
      return body.status === wanted ? body : null
    })
  const read = async (id: unknown) => (await send(`/api/v1/responses/${id}`, { key: apiKey })).body

  it('is cancelled, and what the model had been asked is charged', async () => {
    const before = await sandboxUpstream.calls()
    const { body } = await ask({ text: 'slow', delayMs: 30_000 })
    await pollUntil('the model is asked', async () => (await sandboxUpstream.calls()) > before)
    const cancelled = await client().responses.cancel(String(body.id))
    expect(cancelled).toMatchObject({ id: body.id, status: 'cancelled' })
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, receipts: 1 })
    expect(service(cancelled)).toEqual({ credits_charged: (await readOwnerMoney(owner)).charged })
    expect(await client().responses.cancel(String(body.id))).toMatchObject({ status: 'cancelled' })
  })

  it('a response that was not is not cancelled', async () => {
    const { body } = await sendResponses(apiKey, scriptedResponse({ text: 'ok' }, { model }))
    await expect(client().responses.cancel(String(body.id))).rejects.toThrow(BadRequestError)
  })

  it('that fails says why, and costs nothing', async () => {
    const { body } = await ask({ status: 500 })
    const failed = await readAs('failed', body.id)
    expect(failed).toMatchObject({ error: { code: 'upstream_error' }, service: { credits_charged: 0 } })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 0, held: 0 })
  })

  it('with an Idempotency-Key runs once, and a repeat reads how it goes', async () => {
    const headers = { 'idempotency-key': 'once' }
    const first = await ask({ text: 'Once.', chunkDelayMs: 50 }, headers)
    const repeat = await ask({ text: 'Once.', chunkDelayMs: 50 }, headers)
    expect(repeat.body.id).toBe(first.body.id)
    expect(repeat.headers.get('idempotent-replayed')).toBe('true')
    await readAs('completed', first.body.id)
    const late = await ask({ text: 'Once.', chunkDelayMs: 50 }, headers)
    expect(late.body).toMatchObject({ id: first.body.id, status: 'completed' })
    expect((await readOwnerMoney(owner)).receipts).toBe(1)
    const ids = (await prisma().receipt.findMany({ where: { ownerId: owner.id } })).map(({ id }) => id)
    const rows = await prisma().idempotency.findMany({ where: { holdId: { in: ids } } })
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows.map(({ answer }) => answer))).not.toContain('Once.')
  })

  it('whose process died is failed and void, and never charged after that was read', async () => {
    const { body } = await ask({ text: 'Never.', delayMs: 30_000 })
    const id = String(body.id).replace(/^resp_(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    await expireHolder(id)
    await expireLeases()
    await sweepHolds()
    const failed = await read(body.id)
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'server_error' } })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 0, held: 0 })
    await client().responses.cancel(String(body.id))
  })

  it('that is refused is refused at once', async () => {
    const poor = await makeChatter(0)
    const answer = await sendResponses(poor.key.key, scriptedResponse({}, { model, background: true }))
    expect(answer.status).toBe(402)
  })
})

describe('what is kept', () => {
  const model = modelOf('chat')
  const create = async (key = apiKey, more: object = {}) =>
    (await sendResponses(key, scriptedResponse({ text: 'A secret swan.' }, { model, ...more }))).body as Json & {
      id: string
    }

  it('is found with any key of its account, and with no other', async () => {
    const { id } = await create()
    const second = await makeKey(owner, { llm: true })
    expect(await client(second.key).responses.retrieve(id)).toMatchObject({ id })
    const none = await makeKey(owner, { llm: false })
    expect((await send(`/api/v1/responses/${id}`, { key: none.key })).status).toBe(403)
    const other = await makeChatter()
    const conversation = await client().conversations.create({})
    const paths: [string, string][] = [
      ['GET', `responses/${id}`],
      ['DELETE', `responses/${id}`],
      ['GET', `responses/${id}/input_items`],
      ['POST', `responses/${id}/cancel`],
      ['GET', `conversations/${conversation.id}`],
      ['DELETE', `conversations/${conversation.id}`],
      ['GET', `conversations/${conversation.id}/items`],
    ]
    for (const [method, path] of paths)
      expect((await send(`/api/v1/${path}`, { method, key: other.key.key })).status).toBe(404)
    for (const more of [{ previous_response_id: id }, { conversation: conversation.id }]) {
      const answer = await sendResponses(other.key.key, scriptedResponse({}, { model, ...more }))
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
    }
    expect(await client().responses.retrieve(id)).toMatchObject({ id })
    expect(await readOwnerMoney(other.owner)).toMatchObject({ charged: 0, held: 0 })
  })

  it('is encrypted, and read after the key was changed', async () => {
    const { id } = await create()
    const row = await prisma().modelResponse.findFirstOrThrow({ where: { ownerId: owner.id } })
    expect(Buffer.from(row.body).toString('latin1')).not.toContain('secret swan')
    const { ENCRYPTION_KEY } = env()
    try {
      Object.assign(env(), { ENCRYPTION_KEY: '11'.repeat(32), PREVIOUS_ENCRYPTION_KEY: ENCRYPTION_KEY })
      expect(await client().responses.retrieve(id)).toMatchObject({ id })
      expect(await reencryptResponses()).toBeGreaterThan(0)
      Object.assign(env(), { PREVIOUS_ENCRYPTION_KEY: undefined })
      expect(await client().responses.retrieve(id)).toMatchObject({ id })
      Object.assign(env(), { PREVIOUS_ENCRYPTION_KEY: '11'.repeat(32), ENCRYPTION_KEY })
      await reencryptResponses()
    } finally {
      Object.assign(env(), { ENCRYPTION_KEY, PREVIOUS_ENCRYPTION_KEY: undefined })
    }
  })

  it('expires, and retention deletes it', async () => {
    const { id } = await create()
    const { expiresAt } = await prisma().modelResponse.findFirstOrThrow({ where: { ownerId: owner.id } })
    expect((expiresAt.getTime() - Date.now()) / 86_400_000).toBeCloseTo(30, 2)
    await prisma().modelResponse.updateMany({ where: { ownerId: owner.id }, data: { expiresAt: new Date(0) } })
    await expect(client().responses.retrieve(id)).rejects.toThrow(NotFoundError)
    expect(await expiredModelResponses().count()).toBeGreaterThan(0)
    await expiredModelResponses().step()
    expect(await prisma().modelResponse.count({ where: { ownerId: owner.id } })).toBe(0)
  })

  it('is kept longer where it is used as history', async () => {
    const { id } = await create()
    const soon = new Date(Date.now() + 3 * 86_400_000)
    await prisma().modelResponse.updateMany({ where: { ownerId: owner.id }, data: { expiresAt: soon } })
    await create(apiKey, { previous_response_id: id })
    const rows = await prisma().modelResponse.findMany({ where: { ownerId: owner.id } })
    for (const { expiresAt } of rows) expect((expiresAt.getTime() - Date.now()) / 86_400_000).toBeGreaterThan(29)
  })

  it('is nothing with store: false, and for a key that keeps none', async () => {
    expect(await create(apiKey, { store: false })).toMatchObject({ store: false })
    const none = await makeKey(owner, { llm: true, responseDays: 0 })
    expect(await create(none.key)).toMatchObject({ store: false })
    expect(await prisma().modelResponse.count({ where: { ownerId: owner.id } })).toBe(0)
    const reference = { input: [{ type: 'item_reference', id: 'msg_1' }] }
    const asked = [{ previous_response_id: 'resp_1' }, { conversation: 'conv_1' }, { background: true }, reference]
    for (const more of asked) {
      const answer = await sendResponses(none.key, scriptedResponse({}, { model, ...more }))
      expect(answer).toMatchObject({ status: 400, body: { error: { message: expect.stringMatching(/responseDays/) } } })
    }
    expect((await send('/api/v1/conversations', { key: none.key, body: {} })).status).toBe(400)
  })

  it('goes with its account', async () => {
    await create()
    await prisma().owner.update({ where: { id: owner.id }, data: { deletedAt: new Date() } })
    await expiredModelResponses().step()
    expect(await prisma().modelResponse.count({ where: { ownerId: owner.id } })).toBe(0)
  })

  it('is bounded: a history of more than 20 MiB is a 400 that says so', async () => {
    const { id } = await create()
    await prisma().modelResponse.updateMany({ where: { ownerId: owner.id }, data: { bytes: 21 * 1024 * 1024 } })
    const answer = await sendResponses(apiKey, scriptedResponse({}, { model, previous_response_id: id }))
    expect(answer).toMatchObject({ status: 400, body: { error: { param: 'previous_response_id' } } })
  })

  it('is not the hosted tools of a request', async () => {
    expect((await create(apiKey, { tools: [hosted] })).tools).toEqual([])
  })
})
