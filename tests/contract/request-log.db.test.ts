import { strFromU8, unzipSync } from 'fflate'
import { beforeEach, describe, expect, it } from 'vitest'
import { prisma } from '../../server/db'
import { env } from '../../server/env'
import { backgroundWork } from '../../server/kit/background'
import { processRegistry } from '../../server/kit/metrics/registry'
import { deleteOwner } from '../../server/owner-data/delete'
import { exportOwner } from '../../server/owner-data/export'
import { setRequestLog } from '../../server/request-log/consent'
import { expiredRequestLog } from '../../server/request-log/expired'
import { logCall } from '../../server/request-log/record'
import { callQuery, chargedTo, send, type TestResponse, withSandbox } from '../support/api'
import { CHAT_MODEL, makeChatter, scriptedBody, sendChat, sendStreamedChat } from '../support/chat'
import { loseDatabase } from '../support/lost-database'
import { sendRpc } from '../support/mcp'
import { messagesBody } from '../support/messages'
import { makeCaller, makeKey, makeOwner } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { scriptedResponse } from '../support/responses'
import { runRetentionTask } from '../support/retention-task'
import { forgetAttempts, signUpSomebody } from '../support/signed-in'

withSandbox()
beforeEach(() => {
  Object.assign(env(), { REQUEST_LOG: 'on', RETAIN_REQUEST_LOG_DAYS: 30, SIGNUP_CREDITS: 5_000 })
})

const prices = { coinIds: ['bitcoin'] }
const idOf = ({ headers }: TestResponse): string => headers.get('x-request-id') ?? ''
const logOf = (key: string, requestId: string) => send(`/api/v1/usage/${requestId}/log`, { key })

/** Everything that was to be written is written, or was dropped. */
const untilWritten = () => pollUntil('the end of what is written behind calls', () => backgroundWork.count === 0)

const keptOf = async (ownerId: number): Promise<number> => {
  await untilWritten()
  return prisma().requestLog.count({ where: { ownerId } })
}

/** Somebody who keeps a request log, with a key for everything. */
async function makeLogger() {
  const caller = await makeChatter()
  await setRequestLog(caller.owner.id, true)
  return { ...caller, secret: caller.key.key }
}

/** What was kept of a call, once it is written. */
async function keptLog(key: string, answer: TestResponse) {
  await untilWritten()
  const log = await logOf(key, idOf(answer))
  expect(log.status, log.text).toBe(200)
  return log.body as { request: Record<string, unknown>; response: Record<string, unknown> } & Record<string, unknown>
}

describe('GET /api/v1/usage/{requestId}/log 200', () => {
  it('has the parameters and the result of a tool over REST, at no charge', async () => {
    const { owner, secret } = await makeLogger()
    const answer = await callQuery(secret, 'crypto_get_prices', prices)
    const { service, ...result } = answer.body
    const spent = await chargedTo(owner)
    expect(await keptLog(secret, answer)).toEqual({
      requestId: idOf(answer),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      request: prices,
      response: result,
      requestTruncated: false,
      responseTruncated: false,
    })
    expect(service).toEqual({ credits_charged: spent })
    expect(await chargedTo(owner)).toBe(spent)
  })

  it('has those of a call over MCP', async () => {
    const { secret } = await makeLogger()
    const params = { name: 'crypto_get_prices', arguments: prices }
    const log = await keptLog(secret, await sendRpc(secret, { id: 1, method: 'tools/call', params }))
    expect(log).toMatchObject({ request: prices, response: { rows: expect.anything() } })
  })

  it('says why a call failed', async () => {
    const { secret } = await makeLogger()
    const failed = await callQuery(secret, 'crypto_get_prices', { coinIds: ['sandbox-html'] })
    expect((await keptLog(secret, failed)).response).toEqual({ error: failed.body.error })
  })

  it('has the messages and the texts of a chat, streamed or not alike', async () => {
    const { secret } = await makeLogger()
    const body = scriptedBody({ text: 'A toll is a charge.' })
    const whole = await keptLog(secret, await sendChat(secret, body))
    expect(whole.request).toMatchObject({ model: CHAT_MODEL, messages: body.messages })
    expect(whole.response).toEqual({ output: [{ part: '0 content', text: 'A toll is a charge.' }] })
    expect((await keptLog(secret, await sendStreamedChat(secret, body))).response).toEqual(whole.response)
  })

  it('has the tool calls of a stream, put together', async () => {
    const { secret } = await makeLogger()
    const toolCalls = [{ name: 'lookup', arguments: { city: 'Olbia', password: 'hunter2' } }]
    const tools = [{ type: 'function', function: { name: 'lookup', parameters: { type: 'object' } } }]
    const { response } = await keptLog(secret, await sendStreamedChat(secret, scriptedBody({ toolCalls }, { tools })))
    const texts = (response.output as { text: string }[]).map(({ text }) => text)
    expect(texts).toContain('lookup')
    expect(texts).toContain('{"city":"Olbia","password":"[redacted]"}')
  })

  it.each([
    ['/api/v1/responses', () => scriptedResponse({ text: 'Hello there.' })],
    ['/api/v1/messages', () => messagesBody(CHAT_MODEL, { text: 'Hello there.' })],
  ])('has what %s was asked and answered', async (path, bodyOf) => {
    const { secret } = await makeLogger()
    for (const stream of [false, true]) {
      const log = await keptLog(secret, await send(path, { key: secret, body: { ...bodyOf(), stream } }))
      expect(JSON.stringify(log.request)).toContain('sandbox')
      expect(log.response).toEqual({ output: [{ part: expect.any(String), text: 'Hello there.' }] })
    }
  })

  it('has the inputs of embeddings without the vectors, and images without their bytes', async () => {
    const { secret } = await makeLogger()
    const embedded = await send('/api/v1/embeddings', {
      key: secret,
      body: { model: 'lantern/wick-embed', input: 'a toll road' },
    })
    expect(await keptLog(secret, embedded)).toMatchObject({ request: { input: ['a toll road'] }, response: {} })
    const image = await send('/api/v1/images/generations', {
      key: secret,
      body: { prompt: 'a tide table', response_format: 'b64_json' },
    })
    const { request, response } = await keptLog(secret, image)
    expect(request).toMatchObject({ prompt: 'a tide table' })
    expect(JSON.stringify(response).length).toBeLessThan(1_000)
  })

  it('has no secret and no inline image, and 64 KiB a side', async () => {
    const { owner, secret } = await makeLogger()
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'iVBORw0K'.repeat(200)}` } }
    const text = { type: 'text', text: `My key is ${secret}, and now: ${'many words '.repeat(10_000)}` }
    const body = scriptedBody({ text: 'No.' })
    const messages = [...(body.messages as object[]), { role: 'user', content: [image, text] }]
    const log = await keptLog(secret, await sendChat(secret, { ...body, messages }))
    const kept = JSON.stringify(log.request)
    expect(log).toMatchObject({ requestTruncated: true, responseTruncated: false })
    expect(kept).toContain('[image/png, 1200 bytes]')
    expect(kept).toContain('My key is [redacted], and now')
    expect(kept).not.toContain(secret)
    const row = await prisma().requestLog.findFirstOrThrow({ where: { ownerId: owner.id } })
    expect(Buffer.byteLength(row.request)).toBeLessThanOrEqual(64 * 1024)
  })
})

describe('GET /api/v1/usage/{requestId}/log 404', () => {
  it('is returned to another owner, and to another key of the same one', async () => {
    const { owner, secret } = await makeLogger()
    const answer = await callQuery(secret, 'crypto_get_prices', prices)
    await keptLog(secret, answer)
    const others = [(await makeLogger()).secret, (await makeKey(owner)).key]
    for (const key of others) {
      const found = await logOf(key, idOf(answer))
      expect(found).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect(found.body.error).toContain('request log is turned on in Settings')
      expect(found.body).not.toHaveProperty('service')
    }
  })

  it('is returned for a call that was not kept, for what is no call, and says why', async () => {
    const { owner, key } = await makeCaller()
    const answer = await callQuery(key.key, 'crypto_get_prices', prices)
    expect(await keptOf(owner.id)).toBe(0)
    for (const id of [idOf(answer), 'x']) expect((await logOf(key.key, id)).status).toBe(404)
    Object.assign(env(), { REQUEST_LOG: 'off' })
    expect((await logOf(key.key, idOf(answer))).body.error).toBe('This service keeps no request log.')
  })
})

describe('the request log', () => {
  it('keeps nothing while the operator has it off, also of owners who chose it', async () => {
    const { owner, secret } = await makeLogger()
    Object.assign(env(), { REQUEST_LOG: 'off' })
    await callQuery(secret, 'crypto_get_prices', prices)
    await sendChat(secret, scriptedBody({ text: 'Hi.' }))
    expect(await keptOf(owner.id)).toBe(0)
    await expect(setRequestLog((await makeOwner()).id, true)).rejects.toThrow('keeps no request log')
  })

  it('is turned on and off in Settings, with an entry in the audit log, and off deletes it', async () => {
    await forgetAttempts()
    const { id, api } = await signUpSomebody()
    expect(await api.settings.requestLog()).toEqual({ isOffered: true, isOn: false, days: 30 })
    expect(await api.settings.setRequestLog({ isOn: true })).toMatchObject({ isOn: true })
    const { key } = await api.keys.create({ name: 'mine' })
    const answer = await callQuery(key, 'crypto_get_prices', prices)
    expect(await keptOf(id)).toBe(1)
    expect(await api.usage.log({ requestId: idOf(answer) })).toMatchObject({ log: { request: prices } })
    expect(await api.settings.setRequestLog({ isOn: false })).toMatchObject({ isOn: false })
    expect(await keptOf(id)).toBe(0)
    expect(await api.usage.log({ requestId: idOf(answer) })).toEqual({ log: null })
    await callQuery(key, 'crypto_get_prices', prices)
    expect(await keptOf(id)).toBe(0)
    const events = await prisma().auditEvent.findMany({
      where: { ownerId: id, action: 'settings_changed' },
      orderBy: { id: 'asc' },
    })
    expect(events.map(({ detail }) => detail)).toEqual([{ requestLog: 'on' }, { requestLog: 'off, deleted' }])
  })

  it('takes nothing from a process that does not know yet that it was turned off', async () => {
    const { owner, secret } = await makeLogger()
    await callQuery(secret, 'crypto_get_prices', prices)
    expect(await keptOf(owner.id)).toBe(1)
    await prisma().owner.update({ where: { id: owner.id }, data: { keepsRequestLog: false } })
    const answer = await callQuery(secret, 'crypto_get_prices', prices)
    expect(await keptOf(owner.id)).toBe(1)
    expect((await logOf(secret, idOf(answer))).status).toBe(404)
    await runRetentionTask(expiredRequestLog())
    expect(await keptOf(owner.id)).toBe(0)
  })

  it('is deleted when its days are over', async () => {
    const { owner, secret } = await makeLogger()
    const [old, recent] = [await callQuery(secret, 'crypto_get_prices', prices), await sendChat(secret, scriptedBody())]
    expect(await keptOf(owner.id)).toBe(2)
    const at = new Date(Date.now() - 31 * 86_400_000)
    await prisma().requestLog.update({ where: { id: idOf(old) }, data: { at } })
    expect(await expiredRequestLog().count()).toBe(1)
    expect(await runRetentionTask(expiredRequestLog())).toMatchObject({ deleted: 1 })
    expect((await logOf(secret, idOf(recent))).status).toBe(200)
  })

  it('is in the export, and is deleted with the account', async () => {
    const { owner, secret } = await makeLogger()
    await callQuery(secret, 'crypto_get_prices', prices)
    expect(await keptOf(owner.id)).toBe(1)
    const bytes: Uint8Array[] = []
    for await (const piece of exportOwner({ ownerId: owner.id, signal: new AbortController().signal }))
      bytes.push(piece)
    const file = unzipSync(Buffer.concat(bytes))['request-log.ndjson'] ?? expect.unreachable('no file')
    expect(JSON.parse(strFromU8(file))).toMatchObject({ request: prices, response: { rows: expect.anything() } })
    await deleteOwner(owner.id, { kind: 'owner', email: null })
    await runRetentionTask(expiredRequestLog())
    expect(await keptOf(owner.id)).toBe(0)
  })

  it('drops what the database does not take, and the call does not notice', async () => {
    const { owner, secret } = await makeLogger()
    await callQuery(secret, 'crypto_get_prices', prices)
    expect(await keptOf(owner.id)).toBe(1)
    const find = loseDatabase()
    try {
      const id = '0192f000-0000-7000-8000-000000000001'
      expect(() => logCall({ id, ownerId: owner.id, request: prices, response: {} })).not.toThrow()
      await untilWritten()
    } finally {
      find()
    }
    expect(await processRegistry.metrics()).toMatch(/tollgate_request_log_entries_total\{outcome="dropped"\} [1-9]/)
    expect((await callQuery(secret, 'crypto_get_prices', prices)).status).toBe(200)
    expect(await keptOf(owner.id)).toBe(2)
  })
})
