import { createParser } from 'eventsource-parser'
import { type BodyReading, chargeInBody, parseJsonObject, sendCall } from '../call'
import type { FaultChannel } from './define'
import { keepCalling } from './keep-calling'

export const FAULTS_MODEL = 'northwind/gale-4'

/** A user message with a script for the simulated model. */
export const scriptedMessages = (script: object) => [
  { role: 'user' as const, content: `Hello [[sandbox ${JSON.stringify(script)}]]` },
]

const TEXT = 'Drivers pay at a gate, and the gate opens. '.repeat(5)
export const QUICK_REPLY = { text: TEXT }
export const SLOW_REPLY = { text: TEXT, delayMs: 2_500 }
/** Twenty pieces over two and a half seconds. */
export const LONG_STREAM = { text: TEXT, chunks: 20, chunkDelayMs: 125 }

const complete = (key: string, script: object) => (web: string) =>
  sendCall(
    { url: `${web}/api/v1/chat/completions`, key, body: { model: FAULTS_MODEL, messages: scriptedMessages(script) } },
    (text, status) => ({ charged: chargeInBody(parseJsonObject(text)), isDelivered: status === 200 }),
  )

/**
 * Of a stream counts every event that came whole; it is delivered when it ended as it should,
 * without an error.
 */
export function readChatStream(text: string, status: number): BodyReading {
  if (status !== 200) return { charged: chargeInBody(parseJsonObject(text)), isDelivered: false }
  const events: { event: string | undefined; data: string }[] = []
  createParser({ onEvent: ({ event, data }) => events.push({ event, data }) }).feed(text)
  const charges = events.map(({ data }) => chargeInBody(parseJsonObject(data))).filter((charge) => charge !== null)
  const isDelivered = events.at(-1)?.data === '[DONE]' && !events.some(({ event }) => event === 'error')
  return { charged: charges.length === 0 ? null : charges.reduce((sum, charge) => sum + charge, 0), isDelivered }
}

const stream = (key: string, script: object) => (web: string) =>
  sendCall(
    {
      url: `${web}/api/v1/chat/completions`,
      key,
      body: { model: FAULTS_MODEL, messages: scriptedMessages(script), stream: true },
    },
    readChatStream,
  )

export const plainChat: FaultChannel = {
  name: 'chat',
  minPrice: 1,
  hasRuns: false,
  send: (traffic, seen) =>
    keepCalling([complete(traffic.key, QUICK_REPLY), complete(traffic.key, SLOW_REPLY)], traffic, seen),
}

export const streamedChat: FaultChannel = {
  name: 'chat, streamed',
  minPrice: 1,
  hasRuns: false,
  send: (traffic, seen) =>
    keepCalling([stream(traffic.key, QUICK_REPLY), stream(traffic.key, LONG_STREAM)], traffic, seen),
}
