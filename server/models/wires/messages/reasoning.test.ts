import { expect, test } from 'vitest'
import type { UnknownRecord } from '../../../kit/record'
import type { CompletionBill } from '../../bill'
import { writeMessage } from './answer'
import { messagesBodyToChat } from './to-chat'

const bill = { estimated: false, usage: { inputTokens: 1, outputTokens: 1 } } as CompletionBill
const asked = { id: 'id', model: 'm', stopSequences: null }

/** What a chat upstream gets back of a message that it sent, from a client of the messages wire. */
function roundTrip(message: UnknownRecord) {
  const { content } = writeMessage({ wire: 'chat', body: { choices: [{ message }] } }, bill, asked)
  const { messages } = messagesBodyToChat({ model: 'm', messages: [{ role: 'assistant', content }] })
  return { content: content as UnknownRecord[], back: (messages as UnknownRecord[])[0] }
}

const encrypted = { type: 'reasoning.encrypted', data: 'abc', id: 'rs_1', format: 'openai-responses-v1', index: 1 }
const summary = (text: string, index = 0) => ({
  type: 'reasoning.summary',
  summary: text,
  id: 'rs_1',
  format: 'openai-responses-v1',
  index,
})

test.each([
  [{ content: 'a', reasoning: 'hm' }],
  [{ content: 'a', reasoning_content: 'hm' }],
  [{ content: 'a', reasoning_details: [summary('hm'), encrypted] }],
  [{ content: 'a', reasoning_details: [summary('hm'), summary('and', 2), encrypted] }],
  [{ content: 'a', reasoning_details: [encrypted] }],
  [{ content: 'a', reasoning_details: [{ type: 'reasoning.text', text: 'hm', index: 0 }] }],
  [
    {
      content: 'a',
      reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 's', format: 'google-gemini-v1', index: 0 }],
    },
  ],
])('thinking comes back to its provider as it was: %j', (message) => {
  const { content, back } = roundTrip(message)
  expect(content[0]?.type).toBe('thinking')
  expect(back).toEqual({ role: 'assistant', ...message })
})

test('a summary and what it sums up are one block, which shows the summary', () => {
  const { content } = roundTrip({ content: 'a', reasoning: 'hm', reasoning_details: [summary('hm'), encrypted] })
  expect(content).toMatchObject([
    { type: 'thinking', thinking: 'hm' },
    { type: 'text', text: 'a' },
  ])
})
