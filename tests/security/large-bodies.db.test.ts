import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { send, withSandbox } from '../support/api'
import { CHAT_MODEL, CHAT_PATH, scriptedBody } from '../support/chat'
import { startCpuTimer } from '../support/cpu-time'
import { startListener, type TestListener } from '../support/listener'
import { makeCaller } from '../support/owners'
import { openSocket, parseRawResponse } from '../support/socket'

withSandbox()

const MIB = 1024 * 1024

let listener: TestListener
beforeAll(async () => {
  listener = await startListener()
})
afterAll(() => listener.stop())

const makeChatKey = async (credits = 1_000_000, llm = true) => {
  const { owner, key } = await makeCaller(credits, { llm })
  return { owner, key: key.key }
}

/** A connection that says how long its body is, and sends none of it. */
function promiseBody(key: string | null, bytes: number, path = CHAT_PATH, more = '') {
  const opened = openSocket(listener.port)
  const sender = key === null ? '' : `Authorization: Bearer ${key}\r\n`
  opened.socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${sender}${more}Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n{`,
  )
  return opened
}

const answerOf = async (opened: ReturnType<typeof promiseBody>) => {
  await expect.poll(opened.text).toMatch(/\r\n\r\n./)
  const answer = parseRawResponse(opened.text())
  opened.socket.destroy()
  return answer
}

/** Waits until a promised body is being read: its request is in progress. */
const untilRead = (count: number) => expect.poll(() => listener.inFlight.count).toBe(count)

describe('a body of 19 MB', () => {
  it('of numbers costs next to nothing, and names why it is refused', async () => {
    const { key } = await makeChatKey()
    const raw = `{"model":"${CHAT_MODEL}","messages":[${'1,'.repeat(9_500_000)}1]}`
    const readMs = startCpuTimer()
    const answer = await send(CHAT_PATH, { key, raw })
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
    expect(answer.text).toContain('more than 10,000 items')
    // The client is in this thread, too.
    expect(readMs()).toBeLessThan(19 * 50)
  })

  it('of text comes to the model as it is', async () => {
    const { key } = await makeChatKey(1_000_000_000)
    const body = scriptedBody({ text: 'Read.' }, { model: CHAT_MODEL, max_tokens: 50, user: 'ü"\\'.repeat(1_000_000) })
    const { status, body: answer } = await send(CHAT_PATH, { key, body })
    expect({ status, answer }).toMatchObject({ status: 200, answer: { choices: [{ message: { content: 'Read.' } }] } })
  })
})

it('a large body is read like a small one, and its Idempotency-Key knows it again', async () => {
  const { key } = await makeChatKey()
  const ask = (params: string, headers = {}) =>
    send('/api/v1/query', { key, headers, raw: `{"tool":"crypto_get_prices","params":${params}}` })
  const small = await ask('{"__proto__":{},"coinIds":["bitcoin"]}')
  const large = await ask(`{"__proto__":{},"coinIds":["bitcoin"${' '.repeat(400_000)}]}`)
  expect(large.body).toEqual(small.body)
  expect(large.status).toBe(400)
  const headers = { 'idempotency-key': 'large' }
  const paid = `{"coinIds":["bitcoin"]${' '.repeat(400_000)}}`
  const [first, second] = [await ask(paid, headers), await ask(paid, headers)]
  expect(first.status).toBe(200)
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect((await ask(`{"coinIds":["bitcoin"]}${' '.repeat(400_001)}`, headers)).status).toBe(422)
})

it('what is wrong with a body is said in short', async () => {
  const { key } = await makeChatKey()
  const fields = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${i}`.repeat(100), 1]))
  const answer = await send('/api/v1/agent', { key, body: { goal: 1, idempotencyKey: 1, ...fields } })
  expect(answer.status).toBe(400)
  expect(answer.text.length).toBeLessThan(20 * 1_200)
})

type Opened = ReturnType<typeof promiseBody>

/** Waits until exactly one of these has its answer, and returns it. */
async function onlyAnswerOf(open: readonly Opened[]) {
  const answered = () => open.map(({ text }) => text()).filter((text) => text.includes('HTTP/1.1'))
  await expect.poll(() => answered().length).toBe(1)
  return parseRawResponse(answered()[0] ?? '')
}

async function closeAll(open: readonly Opened[]): Promise<void> {
  for (const { socket } of open) socket.destroy()
  await untilRead(0)
}

describe('bytes in progress', () => {
  it('of one account have a limit, over which a body is refused before it is read', async () => {
    const { key } = await makeChatKey()
    const others = await makeChatKey()
    const open = Array.from({ length: 3 }, () => promiseBody(key, 20 * MIB))
    const refused = await onlyAnswerOf(open)
    expect(refused).toMatchObject({ status: 429 })
    expect(refused.body).toContain('rate_limited')
    expect(refused.head).toMatch(/retry-after: 1/i)
    // A small body of theirs, and a large one of another account.
    expect((await send(CHAT_PATH, { key, body: scriptedBody({ text: 'ok' }) })).status).toBe(200)
    const other = promiseBody(others.key, 20 * MIB)
    await untilRead(3)
    await closeAll([...open, other])
    const again = promiseBody(key, 20 * MIB)
    await untilRead(1)
    await closeAll([again])
  })

  it('of all accounts have a limit, too', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => makeChatKey()))
    const open = keys.flatMap(({ key }) => [promiseBody(key, 17 * MIB), promiseBody(key, 17 * MIB)])
    const refused = await onlyAnswerOf(open)
    expect(refused).toMatchObject({ status: 503 })
    expect(refused.body).toContain('unavailable')
    const late = await makeChatKey()
    expect((await send(CHAT_PATH, { key: late.key, body: scriptedBody({ text: 'ok' }) })).status).toBe(200)
    await closeAll(open)
  })

  it('are counted without Content-Length as they come', async () => {
    const { key } = await makeChatKey()
    const sent = Array.from({ length: 3 }, () => {
      const opened = openSocket(listener.port)
      const head = `POST ${CHAT_PATH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n`
      opened.socket.write(`${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`)
      const piece = ' '.repeat(MIB)
      for (let n = 0; n < 18; n++) opened.socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`)
      return opened
    })
    expect(await onlyAnswerOf(sent)).toMatchObject({ status: 429 })
    await closeAll(sent)
  })
})

describe('a large body', () => {
  it('is not read where its key may not use models', async () => {
    const { key } = await makeChatKey(1_000, false)
    for (const path of [CHAT_PATH, '/api/v1/responses', '/api/v1/messages', '/api/v1/embeddings'])
      expect(await answerOf(promiseBody(key, 10 * MIB, path)), path).toMatchObject({ status: 403 })
  })

  it('is not read where the account has no credits, unless a repeat may be answered', async () => {
    const { key } = await makeChatKey(0)
    const refused = await answerOf(promiseBody(key, 10 * MIB))
    expect(refused).toMatchObject({ status: 402 })
    expect(refused.body).toContain('"limitSource":"balance"')
    const open = promiseBody(key, 10 * MIB, CHAT_PATH, 'Idempotency-Key: one\r\n')
    await untilRead(1)
    open.socket.destroy()
    await untilRead(0)
  })

  it('of the dashboard’s is not read without a session', async () => {
    const refused = await answerOf(promiseBody(null, MIB - 1, '/api/trpc/account.rename'))
    expect(refused).toMatchObject({ status: 401 })
  })
})
