import { expect } from 'vitest'
import { send, type TestResponse } from './api'
import { parseSse, type StreamedResponse } from './chat'

export const MESSAGES_PATH = '/api/v1/messages'
export const COUNT_PATH = '/api/v1/messages/count_tokens'

type JsonObject = Record<string, unknown>

/** A request with a script for the sandbox model, and with whatever else. */
export const messagesBody = (model: string, script: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  model,
  max_tokens: 2_000,
  messages: [{ role: 'user', content: `Hello [[sandbox ${JSON.stringify(script)}]]` }],
  ...more,
})

/** One message that is not streamed. */
export const sendMessages = (key: string, body: unknown, headers: Record<string, string> = {}): Promise<TestResponse> =>
  send(MESSAGES_PATH, { key, body, headers })

/** One message streamed and read to its end. */
export async function sendStreamedMessages(key: string, body: JsonObject): Promise<StreamedResponse> {
  const answer = await send(MESSAGES_PATH, { key, body: { ...body, stream: true } })
  return { ...answer, ...parseSse(answer.text) }
}

/** The data of each event of a stream; its name is its type. */
export function messageEvents({ events }: Pick<StreamedResponse, 'events'>): JsonObject[] {
  return events.map(({ event, data }) => {
    expect((data as JsonObject).type).toBe(event)
    return data as JsonObject
  })
}

type Built = JsonObject & { json?: string }

/** The content that a stream's events build. */
export function builtContent(streamed: Pick<StreamedResponse, 'events'>): JsonObject[] {
  const blocks: Built[] = []
  for (const { type, index, content_block: block, delta } of messageEvents(streamed)) {
    if (type === 'content_block_start') blocks[index as number] = { ...(block as JsonObject) }
    const open = blocks[index as number]
    if (type !== 'content_block_delta' || !open) continue
    const { text, thinking, signature, partial_json: json } = delta as Record<string, string>
    if (text !== undefined) open.text += text
    if (thinking !== undefined) open.thinking += thinking
    if (signature !== undefined) open.signature = signature
    if (json !== undefined) open.json = (open.json ?? '') + json
  }
  return blocks.map(({ json, ...block }) => (json === undefined ? block : { ...block, input: JSON.parse(json) }))
}

/** Fails unless an answer is an error of the wire's envelope, with nothing charged. */
export function expectMessagesError(answer: TestResponse, status: number, code: string, type: string): void {
  expect(answer.status).toBe(status)
  expect(Object.keys(answer.body).sort()).toEqual(['error', 'request_id', 'type'])
  expect(answer.body).toMatchObject({ type: 'error', error: { type, code, message: expect.stringMatching(/\S/) } })
  expect(answer.headers.get('request-id')).toBe(answer.body.request_id)
  expect(answer.headers.get('x-request-id')).toBe(answer.body.request_id)
}

/** Requests to the sandbox's models, in any wire. */
export async function modelCalls(): Promise<number> {
  const { byPath } = (await (await fetch(`${process.env.SANDBOX_URL}/__calls`)).json()) as {
    byPath: Record<string, number>
  }
  return Object.entries(byPath).reduce((sum, [at, calls]) => sum + (at.startsWith('/llm/v1/') ? calls : 0), 0)
}
