import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { send, withSandbox } from '../../tests/support/api'
import { readOwnerMoney } from '../../tests/support/ledger'
import { makeCaller, makeOwner, type TestOwner } from '../../tests/support/owners'
import { makeSessionCookie } from '../accounts/session'
import { listReceipts } from '../credits/receipts'
import { mainPool, prisma } from '../db'
import { playgroundHandler } from './playground'

withSandbox()

const PATH = '/api/playground/chat'
const MODEL = 'northwind/gale-4'
const HELLO = [{ role: 'user', content: 'Hello there' }]
const scripted = (script: object) => [{ role: 'user', content: `Go. [[sandbox ${JSON.stringify(script)}]]` }]

async function cookieOf({ id }: TestOwner): Promise<string> {
  const { name, value } = await makeSessionCookie(await prisma().owner.findUniqueOrThrow({ where: { id } }))
  return `${name}=${value}`
}

async function turn(owner: TestOwner, body: unknown, headers: Record<string, string> = {}) {
  return send(PATH, { body, headers: { cookie: await cookieOf(owner), ...headers } })
}

type Event = {
  choices?: { delta: { content?: string } }[]
  usage?: object
  error?: { message: string; code: string }
  service?: { credits_charged: number }
}

/** The JSON events of a stream, [DONE] left out. */
const eventsIn = (text: string): Event[] =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json ?? '') as Event)
const textIn = (text: string) =>
  eventsIn(text)
    .map((e) => e.choices?.[0]?.delta.content ?? '')
    .join('')

async function receiptOf(owner: TestOwner) {
  for (let turns = 0; turns < 60; turns++) {
    const { rows } = await listReceipts(owner.id, { limit: 2 })
    if (rows.length > 0) return rows
    await sleep(50)
  }
  throw new Error('no receipt')
}

test('a turn streams, charges its owner without a key, and is listed in usage with the channel playground', async () => {
  const owner = await makeOwner(10_000)
  const answer = await turn(owner, { model: MODEL, messages: HELLO })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  expect(textIn(answer.text)).toMatch(/^Hello\. I am a script/)
  expect(answer.text).toMatch(/data: \[DONE\]\n\n$/)
  const billed = eventsIn(answer.text).filter((e) => e.service)
  expect(billed).toMatchObject([{ choices: [], usage: { prompt_tokens: expect.any(Number) } }])
  const charged = billed[0]?.service?.credits_charged ?? 0
  expect(charged).toBeGreaterThan(0)
  expect(await receiptOf(owner)).toMatchObject([
    {
      requestId: answer.headers.get('x-request-id'),
      channel: 'playground',
      product: 'chat',
      what: MODEL,
      keyId: null,
      status: 'ok',
      credits: { charged },
    },
  ])
  expect(await readOwnerMoney(owner)).toMatchObject({ available: 10_000 - charged, held: 0, charged, holds: 0 })
})

test('the id comes as soon as credits are held, and leaving before the first word is charged the prompt', async () => {
  const owner = await makeOwner(10_000)
  const leaving = new AbortController()
  const response = await playgroundHandler(
    new Request(`http://127.0.0.1:3000${PATH}`, {
      method: 'POST',
      headers: { cookie: await cookieOf(owner), 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, messages: scripted({ delayMs: 5_000 }) }),
      signal: leaving.signal,
    }),
  )
  expect(response.status).toBe(200)
  const reading = response.body?.getReader()
  // The first byte is there at once, or no server would send the headers.
  expect(new TextDecoder().decode((await reading?.read())?.value)).toBe(': begun\n\n')
  const first = reading?.read().catch(() => null)
  await sleep(300)
  leaving.abort()
  await reading?.cancel()
  await first
  const [receipt] = await receiptOf(owner)
  expect(receipt).toMatchObject({
    requestId: response.headers.get('x-request-id'),
    status: 'failed',
    detail: { estimated: true, outputTokens: 0, error: 'The client disconnected.' },
  })
  expect(receipt?.credits.charged).toBeGreaterThan(0)
  expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, charged: receipt?.credits.charged })
})

test.each([
  ['without reading a byte', 0],
  ['after the first comment', 1],
])('leaving %s leaves no hold', async (_when, reads) => {
  const owner = await makeOwner(10_000)
  const response = await playgroundHandler(
    new Request(`http://127.0.0.1:3000${PATH}`, {
      method: 'POST',
      headers: { cookie: await cookieOf(owner), 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, messages: scripted({ delayMs: 400 }) }),
    }),
  )
  const reading = response.body?.getReader()
  for (let i = 0; i < reads; i++) await reading?.read()
  await reading?.cancel()
  expect(await receiptOf(owner)).toHaveLength(1)
  expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, holds: 0 })
})

test('leaving in the middle is charged what came', async () => {
  const owner = await makeOwner(10_000)
  const response = await playgroundHandler(
    new Request(`http://127.0.0.1:3000${PATH}`, {
      method: 'POST',
      headers: { cookie: await cookieOf(owner), 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, messages: scripted({ text: 'word '.repeat(200), chunkDelayMs: 20 }) }),
    }),
  )
  const reading = response.body?.getReader()
  for (let i = 0; i < 5; i++) await reading?.read()
  await reading?.cancel()
  const [receipt] = await receiptOf(owner)
  expect(receipt).toMatchObject({ status: 'failed', detail: { estimated: true } })
  expect(receipt?.detail.outputTokens).toBeGreaterThan(0)
  expect(receipt?.detail.outputTokens).toBeLessThan(100)
})

test('an upstream that fails before it answers is an error event, and void', async () => {
  const owner = await makeOwner(10_000)
  const answer = await turn(owner, { model: MODEL, messages: scripted({ status: 503 }) })
  expect(answer.status).toBe(200)
  expect(eventsIn(answer.text)).toMatchObject([{ error: { code: 'upstream_error' }, service: { credits_charged: 0 } }])
  expect(await receiptOf(owner)).toMatchObject([{ status: 'void', credits: { charged: 0 } }])
})

test('an upstream that fails in the middle is an error event with what was charged', async () => {
  const owner = await makeOwner(10_000)
  const answer = await turn(owner, { model: MODEL, messages: scripted({ text: 'one two three', failAfterChunks: 2 }) })
  expect(textIn(answer.text)).toBe('one two')
  const last = eventsIn(answer.text).at(-1)
  expect(last).toMatchObject({ error: { code: 'upstream_error' } })
  expect(await receiptOf(owner)).toMatchObject([
    { status: 'failed', credits: { charged: last?.service?.credits_charged } },
  ])
})

test('streaming and usage are not the caller’s to choose', async () => {
  const owner = await makeOwner(10_000)
  const body = { model: MODEL, messages: HELLO, stream: false, stream_options: { include_usage: false } }
  const answer = await turn(owner, body)
  expect(answer.headers.get('content-type')).toMatch(/event-stream/)
  expect(eventsIn(answer.text).at(-1)).toHaveProperty('usage')
})

test.each([
  ['an unknown model', { model: 'no/such', messages: HELLO }, 400, 'unknown_model'],
  ['an image engine', { model: 'palette/umber-1', messages: HELLO }, 400, 'unknown_model'],
  ['no messages', { model: MODEL, messages: [] }, 400, 'invalid_request'],
  ['fields that choose another model', { model: MODEL, messages: HELLO, models: ['x'] }, 400, 'invalid_request'],
  [
    'an image for a model that takes none',
    {
      model: 'alpenglow/edelweiss-small',
      messages: [
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }] },
      ],
    },
    400,
    'invalid_request',
  ],
])('%s: refused with a status, without a receipt', async (_what, body, status, code) => {
  const owner = await makeOwner(10_000)
  const answer = await turn(owner, body)
  expect([answer.status, (answer.body.error as { code: string }).code]).toEqual([status, code])
  expect(answer.body).not.toHaveProperty('service')
  expect(await readOwnerMoney(owner)).toMatchObject({ available: 10_000, held: 0, receipts: 0 })
})

test('402 for an owner without credits, saying whose limit it is', async () => {
  const owner = await makeOwner(0)
  const answer = await turn(owner, { model: MODEL, messages: HELLO })
  expect(answer.status).toBe(402)
  expect(answer.body.error).toMatchObject({ code: 'insufficient_credits', limitSource: 'balance' })
})

test('the 31st turn of a minute is 429, of this owner alone', async () => {
  const [owner, other] = [await makeOwner(10_000), await makeOwner(10_000)]
  const bad = { model: 'no/such', messages: HELLO }
  for (let i = 0; i < 30; i++) expect((await turn(owner, bad)).status).toBe(400)
  const refused = await turn(owner, { model: MODEL, messages: HELLO })
  expect([refused.status, (refused.body.error as { code: string }).code]).toEqual([429, 'rate_limited'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await turn(other, bad)).status).toBe(400)
})

test('takes a session from its own site alone, and no key', async () => {
  const { owner, key } = await makeCaller(10_000, { llm: true })
  const body = { model: MODEL, messages: HELLO }
  expect((await send(PATH, { body })).status).toBe(401)
  expect((await send(PATH, { body, key: key.key })).status).toBe(401)
  const foreign: Record<string, string>[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]
  for (const headers of foreign) expect((await turn(owner, body, headers)).status).toBe(403)
  expect((await turn(owner, body, { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await send(PATH, { method: 'GET', headers: { cookie: await cookieOf(owner) } })).status).toBe(405)
  const { rows } = await mainPool().query('SELECT count(*)::int AS n FROM hold WHERE owner_id = $1', [owner.id])
  expect(rows).toEqual([{ n: 0 }])
})
