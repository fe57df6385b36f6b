import { expect } from 'vitest'
import { send, type TestResponse } from './api'
import { CHAT_MODEL, parseSse } from './chat'

export const RESPONSES_PATH = '/api/v1/responses'

type JsonObject = Record<string, unknown>

/** A text with a script for the sandbox model. */
export const scriptedText = (script: JsonObject, text = 'Hello'): string =>
  `${text} [[sandbox ${JSON.stringify(script)}]]`

/** A request with a script, and with whatever else. */
export const scriptedResponse = (script: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  model: CHAT_MODEL,
  input: scriptedText(script),
  ...more,
})

/** One response that is not streamed. */
export const sendResponses = (
  key: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<TestResponse> => send(RESPONSES_PATH, { key, body, headers })

export type ResponseEventSent = JsonObject & { type: string; sequence_number: number }

export type StreamedResponses = TestResponse & {
  /** Every event but `[DONE]`. */
  sent: ResponseEventSent[]
  comments: string[]
  /** The response in the last event. */
  last: JsonObject & { status: string; output: JsonObject[] }
}

/**
 * One streamed response, read to its end. Fails where names and numbers of events are not right.
 */
export async function streamResponses(key: string, body: JsonObject): Promise<StreamedResponses> {
  const answer = await send(RESPONSES_PATH, { key, body: { ...body, stream: true } })
  const { events, comments } = parseSse(answer.text)
  const named = events.filter(({ data }) => data !== '[DONE]')
  const sent = named.map(({ data }) => data as ResponseEventSent)
  expect(named.map(({ event }) => event)).toEqual(sent.map(({ type }) => type))
  expect(sent.map(({ sequence_number }) => sequence_number)).toEqual(sent.map((_, i) => i))
  return { ...answer, sent, comments, last: sent.at(-1)?.response as StreamedResponses['last'] }
}

/** The types of events, with repeated ones once. */
export const typesIn = (sent: readonly ResponseEventSent[]): string[] =>
  sent.map(({ type }) => type.replace('response.', '')).filter((type, i, all) => type !== all[i - 1])

/** The charge of a stream, which is on its last event and in that event's response. */
export function chargeOfStream({ sent }: Pick<StreamedResponses, 'sent'>): number {
  const charged = sent.filter((event) => 'service' in event)
  expect(charged).toEqual([sent.at(-1)])
  const inResponses = sent.filter(({ response }) => (response as JsonObject | undefined)?.service !== undefined)
  expect(inResponses).toEqual(charged)
  const { service, response } = charged[0] as unknown as { service: JsonObject; response: JsonObject }
  expect(response.service).toEqual(service)
  return service.credits_charged as number
}

/** What an output says in its messages. */
export const outputText = ({ output }: JsonObject): string =>
  (output as { type: string; content?: { text?: string }[] }[])
    .filter(({ type }) => type === 'message')
    .flatMap(({ content }) => content ?? [])
    .map(({ text }) => text ?? '')
    .join('')
