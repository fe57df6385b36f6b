import { createParser } from 'eventsource-parser'
import { chargeOf, parseJson, type Reading, sendCall } from '../call'
import { keepCalling } from './callers'
import type { Channel } from './channel'

export const MODEL = 'northwind/gale-4'

/** A user message with a script for the simulated model. */
export const messagesOf = (script: object) => [
  { role: 'user' as const, content: `Hello [[sandbox ${JSON.stringify(script)}]]` },
]

const TEXT = 'Drivers pay at a gate, and the gate opens. '.repeat(5)
export const QUICK = { text: TEXT }
export const LATE = { text: TEXT, delayMs: 4_000 }
/** Twenty pieces over four seconds. */
export const LONG_STREAM = { text: TEXT, chunks: 20, chunkDelayMs: 200 }

const complete = (key: string, script: object) => (web: string) =>
  sendCall(
    { url: `${web}/api/v1/chat/completions`, key, body: { model: MODEL, messages: messagesOf(script) } },
    (text, status) => ({ charged: chargeOf(parseJson(text)), isDelivered: status === 200 }),
  )

/** Of a stream counts every event that came whole; it is delivered when it ended as it should, without an error. */
export function readStream(text: string, status: number): Reading {
  if (status !== 200) return { charged: chargeOf(parseJson(text)), isDelivered: false }
  const events: { event: string | undefined; data: string }[] = []
  createParser({ onEvent: ({ event, data }) => events.push({ event, data }) }).feed(text)
  const charges = events.map(({ data }) => chargeOf(parseJson(data))).filter((charge) => charge !== null)
  const isDelivered = events.at(-1)?.data === '[DONE]' && !events.some(({ event }) => event === 'error')
  return { charged: charges.length === 0 ? null : charges.reduce((sum, charge) => sum + charge, 0), isDelivered }
}

const stream = (key: string, script: object) => (web: string) =>
  sendCall(
    { url: `${web}/api/v1/chat/completions`, key, body: { model: MODEL, messages: messagesOf(script), stream: true } },
    readStream,
  )

export const plainChat: Channel = {
  name: 'chat',
  minPrice: 1,
  hasRuns: false,
  send: (traffic, seen) => keepCalling([complete(traffic.key, QUICK), complete(traffic.key, LATE)], traffic, seen),
}

export const streamedChat: Channel = {
  name: 'chat, streamed',
  minPrice: 1,
  hasRuns: false,
  send: (traffic, seen) => keepCalling([stream(traffic.key, QUICK), stream(traffic.key, LONG_STREAM)], traffic, seen),
}
