import { expect } from 'vitest'
import { creditsForUsd } from '../../../server/credits/price'
import { mainPool } from '../../../server/db'
import type { WireName } from '../../../server/models/completion'
import { send, type TestResponse } from '../api'
import { parseSse, receiptOf } from '../chat'
import { readOwnerMoney } from '../ledger'
import { sharedListener } from '../listener'
import type { TestOwner } from '../owners'
import { SCENE_PRICES } from './fake-providers'
import { type Ask, billedEvents, type JsonObject, type Reading, type SceneUsage, type SseEvent } from './scene'
import { WIRE_ENDS } from './wires'

export type SceneCaller = { owner: TestOwner; key: { key: string } }

export type SceneReply = TestResponse & {
  /** Empty where the answer is no stream. */
  events: SseEvent[]
  /** Every charge that the answer names. */
  charges: number[]
}

const chargeOf = ({ service }: JsonObject): number => (service as { credits_charged: number }).credits_charged

/** Asks in one wire, and returns all that comes. */
export async function askIn(
  wire: WireName,
  { key }: SceneCaller,
  ask: Ask,
  isStream: boolean,
  signal?: AbortSignal,
): Promise<SceneReply> {
  const { client } = WIRE_ENDS[wire]
  const answer = await send(client.path, { key: key.key, body: client.body(ask, isStream), signal })
  const events = answer.headers.get('content-type')?.startsWith('text/event-stream') ? parseSse(answer.text).events : []
  const billed = events.length > 0 ? billedEvents(events) : 'service' in answer.body ? [answer.body] : []
  return { ...answer, events, charges: billed.map(chargeOf) }
}

/** What a client of a wire reads of a reply that succeeded. */
export function readIn(wire: WireName, { status, text, events, body }: SceneReply): Reading {
  expect(status, text).toBe(200)
  const { client } = WIRE_ENDS[wire]
  return events.length > 0 ? client.readStream(events) : client.readAnswer(body)
}

/** What a usage costs at the prices of scenes, rounded up once. */
export function creditsForScene({ input, output, cached = 0, written = 0 }: SceneUsage): number {
  const { usdPer1mInput, usdPer1mOutput, usdPer1mCachedInput, usdPer1mCacheWrite } = SCENE_PRICES
  const price = (usd: number) => Number(creditsForUsd(usd))
  const sum =
    (input - cached - written) * price(usdPer1mInput) +
    cached * price(usdPer1mCachedInput) +
    written * price(usdPer1mCacheWrite) +
    output * price(usdPer1mOutput)
  return Math.ceil(sum / 1e6)
}

/**
 * Fails unless a reply names one charge, the ledger and the receipt have the same, and nothing is
 * held any more. Returns the receipt.
 */
export async function expectOneCharge({ owner, key }: SceneCaller, reply: SceneReply, credits?: number) {
  expect(reply.charges, reply.text).toHaveLength(1)
  const [charged] = reply.charges
  if (credits !== undefined) expect(charged).toBe(credits)
  const receipt = await receiptOf(key.key, reply)
  const { charged: onReceipt, held } = receipt.credits as { charged: number; held: number }
  expect(onReceipt).toBe(charged)
  expect(held).toBeGreaterThanOrEqual(Number(charged))
  expect(await readOwnerMoney(owner)).toMatchObject({ charged, held: 0, holds: 0, receipts: 1 })
  return receipt
}

/** Begins a stream with a client that can leave. */
export async function beginStream(
  wire: WireName,
  { key }: SceneCaller,
  { headers, ...ask }: Ask & { headers?: Record<string, string> },
) {
  const { client } = WIRE_ENDS[wire]
  const leaving = new AbortController()
  const { url } = await sharedListener()
  const responding = fetch(url + client.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(client.body(ask, true)),
    signal: leaving.signal,
  })
  responding.catch(() => {})
  /** Reads until a text has come, in pieces or whole. */
  const readUntil = async (wanted: string) => {
    const { body } = await responding
    const decoder = new TextDecoder()
    let text = ''
    for await (const piece of body as ReadableStream<Uint8Array>) {
      text += decoder.decode(piece, { stream: true })
      if (text.includes(wanted)) return
    }
    throw new Error(`the stream ended without ${wanted}: ${text}`)
  }
  return { readUntil, leave: () => leaving.abort() }
}

type OnlyReceipt = { status: string; charged: number; held: number; detail: JsonObject; channel: string }

/** The one receipt of an owner, read from its table: for calls whose client has left. */
export async function onlyReceipt({ id }: TestOwner): Promise<OnlyReceipt> {
  const { rows } = await mainPool().query<OnlyReceipt>(
    'SELECT status, charged::int, held::int, detail, channel FROM receipt WHERE owner_id = $1',
    [id],
  )
  expect(rows).toHaveLength(1)
  return rows[0] as OnlyReceipt
}
