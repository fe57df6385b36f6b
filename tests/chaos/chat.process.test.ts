import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweepHolds } from '../../server/credits/sweep'
import { send, withSandbox } from '../support/api'
import {
  CHAT_PATH,
  chargeIn,
  creditsAtChatModel,
  makeChatter,
  parseSse,
  sandboxUpstream,
  scriptedBody,
  textIn,
} from '../support/chat'
import { sseEvent, streamChunk, withFakeUpstream } from '../support/fake-upstream'
import { expireLeases, readOwnerMoney } from '../support/ledger'
import type { TestOwner } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { startWebProcess, type WebProcess } from '../support/web-process'

const upstream = withFakeUpstream()
withSandbox()
let webs: WebProcess[] = []
const start = async () => {
  const web = await startWebProcess({ MODELS_FILE: upstream.file })
  webs.push(web)
  return web
}
let web: WebProcess
beforeAll(async () => {
  web = await start()
})
afterAll(async () => {
  await Promise.all(webs.map((each) => each.kill('SIGKILL')))
  webs = []
})

const LONG = 'All work and no play makes for a dull afternoon. '.repeat(40).trim()

/**
 * A completion over a separate socket. `seen`: everything received so far. `leave` closes the
 * socket.
 */
function open(at: WebProcess, key: string, body: object) {
  const seen = { text: '', status: 0 }
  const req = request(`${at.url}${CHAT_PATH}`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
  const ended = new Promise<'end' | 'cut'>((resolve) => {
    req.on('error', () => resolve('cut'))
    req.on('response', (res) => {
      seen.status = res.statusCode ?? 0
      res.on('data', (data) => {
        seen.text += data
      })
      res.on('end', () => resolve('end'))
      res.on('error', () => resolve('cut'))
    })
  })
  req.end(JSON.stringify(body))
  return { seen, ended, leave: () => req.destroy() }
}

const heldBy = async (owner: TestOwner) => (await readOwnerMoney(owner)).held

/** The one receipt of an owner, once nothing is held any more. */
async function settledReceipt(owner: TestOwner, key: string) {
  await pollUntil(
    'the settlement',
    async () => (await heldBy(owner)) === 0 && (await readOwnerMoney(owner)).receipts === 1,
  )
  const { body } = await send('/api/v1/usage', { key })
  const [receipt] = body.rows as { status: string; credits: { charged: number }; detail: Record<string, number> }[]
  expect(receipt?.credits.charged).toBe((await readOwnerMoney(owner)).charged)
  return receipt
}

/** Leaves, and waits until the sandbox's upstream is let go, which is not its end. */
async function leaveAndLetGo(call: { leave: () => void }) {
  const before = await sandboxUpstream.aborted()
  call.leave()
  await pollUntil('the upstream to be let go', async () => (await sandboxUpstream.aborted()) === before + 1)
}

describe('a caller who leaves', () => {
  it.each([false, true])('before the upstream has the whole request pays nothing (stream: %s)', async (stream) => {
    const { owner, key } = await makeChatter()
    let asked: IncomingMessage | undefined
    upstream.play((req) => {
      asked = req.pause()
    })
    const url = `data:image/png;base64,${'A'.repeat(15_000_000)}`
    const content = [{ type: 'image_url', image_url: { url } }]
    const call = open(web, key.key, {
      model: 'upstream/one',
      stream,
      max_tokens: 9,
      messages: [{ role: 'user', content }],
    })
    await pollUntil('the upstream’s request', () => upstream.calls() === 1)
    await sleep(100)
    expect(await heldBy(owner)).toBeGreaterThan(0)
    call.leave()
    await sleep(1_000)
    // Whoever does not read does not notice either: what is left in the socket's buffers ends
    // before the body does.
    asked?.resume().on('error', () => {})
    await pollUntil('the upstream’s connection to close', () => asked?.destroyed)
    expect(asked?.complete).toBe(false)
    expect(await settledReceipt(owner, key.key)).toMatchObject({ status: 'void', credits: { charged: 0 } })
  })

  it.each([false, true])('before the first byte pays for the prompt (stream: %s)', async (stream) => {
    const { owner, key } = await makeChatter()
    const messages = [{ role: 'user', content: `${LONG.repeat(10)} [[sandbox {"hang": true}]]` }]
    const call = open(web, key.key, scriptedBody({}, { stream, messages, max_tokens: 1_000 }))
    await pollUntil('the upstream’s request', async () => (await sandboxUpstream.calls()) === 1)
    await sleep(100)
    await leaveAndLetGo(call)
    const receipt = await settledReceipt(owner, key.key)
    expect(receipt).toMatchObject({ status: 'failed', detail: { outputTokens: 0, estimated: true } })
    const { inputTokens = 0 } = receipt?.detail ?? {}
    expect(inputTokens).toBeGreaterThan(4_000)
    expect(receipt?.credits.charged).toBe(creditsAtChatModel(inputTokens, 0))
  })

  it('mid-text pays for the prompt and what came', async () => {
    const { owner, key } = await makeChatter()
    const call = open(web, key.key, scriptedBody({ text: LONG, chunks: 100, chunkDelayMs: 40 }, { stream: true }))
    await pollUntil('half of the text', () => textIn(parseSse(call.seen.text).chunks).length > LONG.length / 4)
    await leaveAndLetGo(call)
    const receipt = await settledReceipt(owner, key.key)
    expect(receipt).toMatchObject({ status: 'failed', detail: { estimated: true } })
    expect(receipt?.detail.outputTokens).toBeGreaterThan(80)
    expect(receipt?.detail.outputTokens).toBeLessThan(350)
    expect(receipt?.credits.charged).toBe(
      creditsAtChatModel(receipt?.detail.inputTokens ?? 0, receipt?.detail.outputTokens ?? 0),
    )
  })

  it('mid-thought and mid-call pays for reasoning and arguments too', async () => {
    const { owner, key } = await makeChatter()
    const tools = [{ type: 'function', function: { name: 'f', parameters: {} } }]
    const script = {
      reasoning: LONG,
      toolCalls: [{ name: 'f', arguments: { a: LONG } }],
      stopAfterTextBeforeUsage: true,
    }
    const call = open(web, key.key, scriptedBody(script, { stream: true, tools }))
    await pollUntil('the arguments', () => (call.seen.text.match(/afternoon/g) ?? []).length >= 80)
    await leaveAndLetGo(call)
    const receipt = await settledReceipt(owner, key.key)
    expect(receipt?.detail.outputTokens).toBeGreaterThan(780)
  })

  it('after the last text, before usage, pays for prompt and text', async () => {
    const { owner, key } = await makeChatter()
    const call = open(web, key.key, scriptedBody({ text: LONG, stopAfterTextBeforeUsage: true }, { stream: true }))
    await pollUntil('all of the text', () => textIn(parseSse(call.seen.text).chunks) === LONG)
    await leaveAndLetGo(call)
    const receipt = await settledReceipt(owner, key.key)
    expect(receipt).toMatchObject({ status: 'failed', detail: { estimated: true } })
    expect(receipt?.detail.outputTokens).toBeGreaterThan(390)
    expect(receipt?.detail.outputTokens).toBeLessThan(450)
  })

  it('after usage came, before [DONE], pays by that usage', async () => {
    const { owner, key } = await makeChatter()
    const usage = { prompt_tokens: 777, completion_tokens: 55 }
    upstream.play((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.write(
        sseEvent(streamChunk({ content: 'a' })) + sseEvent(streamChunk({}, 'stop')) + sseEvent({ choices: [], usage }),
      )
    })
    const call = open(web, key.key, scriptedBody({}, { model: 'upstream/one', stream: true }))
    await pollUntil('the text', () => call.seen.text.includes('data:'))
    await sleep(200)
    call.leave()
    const receipt = await settledReceipt(owner, key.key)
    expect(receipt).toMatchObject({ detail: { inputTokens: 777, outputTokens: 55, estimated: false } })
  })

  it('with an Idempotency-Key, without a stream, gets the answer on coming back', async () => {
    const { owner, key } = await makeChatter()
    const headers = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json', 'idempotency-key': 'k' }
    const body = JSON.stringify(scriptedBody({ text: 'kept', delayMs: 800 }))
    const leaving = AbortSignal.timeout(300)
    await expect(fetch(`${web.url}${CHAT_PATH}`, { method: 'POST', headers, body, signal: leaving })).rejects.toThrow()
    await pollUntil('the charge', async () => (await readOwnerMoney(owner)).charged === 1)
    const again = await fetch(`${web.url}${CHAT_PATH}`, { method: 'POST', headers, body })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await again.text()).toContain('kept')
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 1, receipts: 1, held: 0 })
  })

  it('leaves nothing held: 60 who leave at any moment', async () => {
    const { owner, key } = await makeChatter()
    const calls = Array.from({ length: 60 }, (_, i) => {
      const call = open(web, key.key, scriptedBody({ text: LONG, chunks: 40, chunkDelayMs: 5 }, { stream: i % 3 > 0 }))
      return sleep(i * 5).then(call.leave)
    })
    await Promise.all(calls)
    await pollUntil('every settlement', async () => (await readOwnerMoney(owner)).holds === 0)
    const { available, charged, held } = await readOwnerMoney(owner)
    expect([available + charged, held]).toEqual([1_000_000, 0])
  })
})

it('a reader who stops reading stops the upstream, before memory grows', async () => {
  const { owner, key } = await makeChatter()
  let sent = 0
  let isCut = false
  // A token, and much beside it: what is more than was asked for would be cut.
  const piece = sseEvent(streamChunk({ content: 'a', padding: 'lorem ipsum '.repeat(5_000) }))
  upstream.play(async (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    res.on('close', () => {
      isCut = true
      res.emit('drain')
    })
    while (!isCut && sent < 500e6) {
      sent += piece.length
      if (!res.write(piece)) await once(res, 'drain').catch(() => {})
    }
  })
  const body = JSON.stringify(scriptedBody({}, { model: 'upstream/one', stream: true, max_tokens: 1_000 }))
  const { hostname, port } = new URL(web.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST ${CHAT_PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  await once(socket, 'data')
  socket.pause()
  const isStill = async () => {
    const before = sent
    await sleep(1_500)
    return sent === before
  }
  await pollUntil('the upstream to stop', isStill)
  // What was not sent takes no memory: 500 MB were offered.
  expect(sent).toBeLessThan(40e6)
  expect(await heldBy(owner)).toBeGreaterThan(0)
  socket.destroy()
  await pollUntil('the upstream to be let go', () => isCut)
  await pollUntil('the settlement', async () => (await readOwnerMoney(owner)).holds === 0)
  expect((await readOwnerMoney(owner)).charged).toBeGreaterThan(0)
})

it('200 streams at once all end, each with one charge, and the sum is what the ledger says', async () => {
  const { owner, key } = await makeChatter(100_000_000)
  const calls = Array.from({ length: 200 }, (_, i) =>
    open(
      web,
      key.key,
      scriptedBody({ text: `${i} ${LONG}`, chunks: 20, chunkDelayMs: 20 }, { stream: true, max_tokens: 1_000 }),
    ),
  )
  expect(new Set(await Promise.all(calls.map((call) => call.ended)))).toEqual(new Set(['end']))
  let sum = 0
  for (const [i, { seen }] of calls.entries()) {
    const parsed = parseSse(seen.text)
    expect(textIn(parsed.chunks)).toBe(`${i} ${LONG}`)
    expect(parsed.events.at(-1)?.data).toBe('[DONE]')
    sum += chargeIn(parsed)
  }
  expect(await readOwnerMoney(owner)).toEqual({
    available: 100_000_000 - sum,
    held: 0,
    charged: sum,
    receipts: 200,
    holds: 0,
  })
})

it('a process killed mid-stream charges nothing: its hold is void after the sweep', async () => {
  const { owner, key } = await makeChatter()
  const victim = await start()
  const call = open(victim, key.key, scriptedBody({ text: LONG, chunks: 100, chunkDelayMs: 50 }, { stream: true }))
  await pollUntil('some text', () => call.seen.text.length > 2_000)
  await victim.kill('SIGKILL')
  expect(await call.ended).toBe('cut')
  expect(await heldBy(owner)).toBeGreaterThan(0)
  await expireLeases()
  await sweepHolds()
  expect(await readOwnerMoney(owner)).toEqual({ available: 1_000_000, held: 0, charged: 0, receipts: 1, holds: 0 })
})

it('a shutdown lets the stream in progress end, charged and complete, and accepts no new one', async () => {
  const { owner, key } = await makeChatter()
  const leaving = await start()
  const call = open(leaving, key.key, scriptedBody({ text: LONG, chunks: 40, chunkDelayMs: 100 }, { stream: true }))
  await pollUntil('some text', () => call.seen.text.length > 500)
  const stopped = leaving.kill('SIGTERM')
  await pollUntil('the listener to close', () =>
    fetch(`${leaving.url}/healthz`).then(
      () => false,
      () => true,
    ),
  )
  expect(await call.ended).toBe('end')
  const parsed = parseSse(call.seen.text)
  expect(textIn(parsed.chunks)).toBe(LONG)
  expect(parsed.events.at(-1)?.data).toBe('[DONE]')
  await stopped
  expect(leaving.child.exitCode).toBe(0)
  expect(await readOwnerMoney(owner)).toMatchObject({ charged: chargeIn(parsed), held: 0, holds: 0 })
})

it('a balance for exactly 7 completions pays for exactly 7 of 100 at once over two processes', async () => {
  const pair = [web, await start()] as const
  const body = scriptedBody(
    { text: 'ok', usage: { prompt_tokens: 1e8, completion_tokens: 1e8 } },
    { max_tokens: 1_000 },
  )
  const rich = await makeChatter()
  const first = open(web, rich.key.key, body)
  await first.ended
  const price = (await readOwnerMoney(rich.owner)).charged
  expect(price).toBeGreaterThan(30)

  const { owner, key } = await makeChatter(7 * price)
  const calls = Array.from({ length: 100 }, (_, i) =>
    open(pair[i % 2] as WebProcess, key.key, { ...body, stream: i % 3 === 0 }),
  )
  await Promise.all(calls.map((call) => call.ended))
  const statuses = calls.map(({ seen }) => seen.status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(7)
  expect(statuses.filter((status) => status === 402)).toHaveLength(93)
  expect(await readOwnerMoney(owner)).toEqual({ available: 0, held: 0, charged: 7 * price, receipts: 7, holds: 0 })
})
