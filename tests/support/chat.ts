import { createParser } from 'eventsource-parser'
import { expect } from 'vitest'
import type { NewKey } from '../../server/keys/shape'
import { send, type TestResponse } from './api'
import { makeCaller } from './owners'

export const CHAT_PATH = '/api/v1/chat/completions'
/** A model that sees: 8,334 credits per million tokens in, 33,336 out, in sandbox mode. */
export const CHAT_MODEL = 'northwind/gale-4'

type JsonObject = Record<string, unknown>

/** An owner with credits and a key that may chat. */
export const makeChatter = (credits = 1_000_000, settings: Partial<NewKey> = {}) =>
  makeCaller(credits, { llm: true, ...settings })

/** A user message with a script for the sandbox model. */
export const scriptedMessage = (script: JsonObject, text = 'Hello') => ({
  role: 'user',
  content: `${text} [[sandbox ${JSON.stringify(script)}]]`,
})

/** A request with a script, and with whatever else. */
export const scriptedBody = (script: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  model: CHAT_MODEL,
  messages: [scriptedMessage(script)],
  ...more,
})

/** One completion that is not streamed. */
export const sendChat = (key: string, body: unknown, headers: Record<string, string> = {}): Promise<TestResponse> =>
  send(CHAT_PATH, { key, body, headers })

export type StreamedResponse = TestResponse & {
  /** Every event in order; `data` is text if it is not JSON, such as [DONE]. */
  events: { event: string | undefined; data: unknown }[]
  /** The JSON payloads without a name. */
  chunks: JsonObject[]
  comments: string[]
}

/** One streamed completion, read to its end. */
export async function sendStreamedChat(key: string, body: JsonObject): Promise<StreamedResponse> {
  const answer = await send(CHAT_PATH, { key, body: { ...body, stream: true } })
  return { ...answer, ...parseSse(answer.text) }
}

/** Takes a stream's text apart. */
export function parseSse(text: string): Pick<StreamedResponse, 'events' | 'chunks' | 'comments'> {
  const events: StreamedResponse['events'] = []
  const comments: string[] = []
  const parser = createParser({
    onEvent: ({ event, data }) => events.push({ event, data: data === '[DONE]' ? data : JSON.parse(data) }),
    onComment: (comment) => comments.push(comment),
    onError: (error) => {
      throw error
    },
  })
  parser.feed(text)
  const chunks = events.filter((e) => e.event === undefined && e.data !== '[DONE]').map((e) => e.data as JsonObject)
  return { events, chunks, comments }
}

type Choice = { index: number; delta: { content?: string; tool_calls?: unknown }; finish_reason: string | null }
export const choicesIn = (chunk: JsonObject): Choice[] => chunk.choices as Choice[]

/** What one choice of a stream said. */
export const textIn = (chunks: readonly JsonObject[], index = 0): string =>
  chunks
    .flatMap(choicesIn)
    .filter((c) => c.index === index)
    .map((c) => c.delta.content ?? '')
    .join('')

/** The chunks that carry the charge. */
export const billedIn = (chunks: readonly JsonObject[]): JsonObject[] => chunks.filter((chunk) => 'service' in chunk)

/** The charge of a stream, which is on exactly one event; an error event counts. */
export function chargeIn({ events }: Pick<StreamedResponse, 'events'>): number {
  const billed = events.filter(({ data }) => typeof data === 'object' && data !== null && 'service' in data)
  expect(billed).toHaveLength(1)
  return billed.reduce((_, { data }) => (data as { service: { credits_charged: number } }).service.credits_charged, 0)
}

/** The receipt of an answer. */
export const receiptOf = async (key: string, answer: TestResponse) =>
  (await send(`/api/v1/usage/${answer.headers.get('x-request-id')}`, { key })).body

/** The charge of some tokens at MODEL's price. */
export const creditsAtChatModel = (tokensIn: number, tokensOut: number): number =>
  Math.ceil((tokensIn * 8334 + tokensOut * 33336) / 1e6)

/** What the sandbox's chat upstream saw last, and how many of its callers left early. */
export const sandboxUpstream = {
  last: async () =>
    (await (await fetch(`${process.env.SANDBOX_URL}/llm/__last`)).json()) as {
      body: JsonObject
      headers: Record<string, string>
    },
  aborted: async () =>
    ((await (await fetch(`${process.env.SANDBOX_URL}/llm/__aborted`)).json()) as { count: number }).count,
  calls: async () => {
    const calls = await (await fetch(`${process.env.SANDBOX_URL}/__calls`)).json()
    return ((calls as { byPath: Record<string, number> }).byPath['/llm/v1/chat/completions'] ?? 0) as number
  },
}

/** Fails unless an answer is a chat error of the common envelope, with nothing charged. */
export function expectChatError(answer: TestResponse, status: number, code: string, type: string): void {
  expect(answer.status).toBe(status)
  expect(Object.keys(answer.body)).toEqual(['error'])
  expect(answer.body.error).toMatchObject({ message: expect.stringMatching(/\S/), type, code })
  expect(answer.body.error).toHaveProperty('param')
  expect(answer.headers.get('x-request-id')).toMatch(/\S/)
}
