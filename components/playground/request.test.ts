import { expect, test } from 'vitest'
import { buildPlaygroundRequest, checkChatSettings, previewPlaygroundRequest } from './request'
import { type ChatTurn, newChatTurn, sumCharges } from './turn'

const settings = { model: 'a/b', system: '', temperature: '', maxOutput: '' }
const turn = (given: Partial<ChatTurn>): ChatTurn => ({
  ...newChatTurn(1, 'a/b', { text: 'one', images: [] }),
  ...given,
})
const image = { name: 'x.png', url: `data:image/png;base64,${'A'.repeat(500)}`, bytes: 375 }
const draft = { text: 'two', images: [] }

test('a plain draft requests a stream and sets no parameter', () => {
  expect(buildPlaygroundRequest(settings, [], draft)).toEqual({
    model: 'a/b',
    messages: [{ role: 'user', content: 'two' }],
    stream: true,
  })
})

test('the system prompt comes first, then the history, then the draft', () => {
  const turns = [turn({ state: 'done', text: 'uno' }), turn({ state: 'stopped', text: 'un', message: 'again' })]
  const { messages } = buildPlaygroundRequest({ ...settings, system: 'Be brief.' }, turns, draft)
  expect(messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
    'system: Be brief.',
    'user: one',
    'assistant: uno',
    'user: again',
    'assistant: un',
    'user: two',
  ])
})

test('a turn that failed, is empty or is in progress is not part of the history', () => {
  const turns = [
    turn({ state: 'failed', text: 'half' }),
    turn({ state: 'stopped' }),
    turn({ state: 'done' }),
    turn({ state: 'streaming', text: 'so far' }),
  ]
  expect(buildPlaygroundRequest(settings, turns, draft).messages).toHaveLength(1)
})

test('images are parts after the text, or the only parts', () => {
  const [message] = buildPlaygroundRequest(settings, [], { text: 'see', images: [image] }).messages
  expect(message?.content).toEqual([
    { type: 'text', text: 'see' },
    { type: 'image_url', image_url: { url: image.url } },
  ])
  expect(buildPlaygroundRequest(settings, [], { text: '', images: [image] }).messages[0]?.content).toHaveLength(1)
})

test('numbers are sent as numbers', () => {
  expect(buildPlaygroundRequest({ ...settings, temperature: '0', maxOutput: ' 64 ' }, [], draft)).toMatchObject({
    temperature: 0,
    max_completion_tokens: 64,
  })
})

test.each([
  ['', '', []],
  ['2', '1', []],
  ['2.1', '', ['temperature']],
  ['-1', '', ['temperature']],
  ['warm', '', ['temperature']],
  ['', '0', ['maxOutput']],
  ['', '1.5', ['maxOutput']],
  ['', '-3', ['maxOutput']],
  ['x', 'x', ['temperature', 'maxOutput']],
])('temperature %j and max output %j: errors at %j', (temperature, maxOutput, wrong) => {
  expect(Object.keys(checkChatSettings({ ...settings, temperature, maxOutput }))).toEqual(wrong)
})

test('the displayed request has no image data and no empty message', () => {
  const shown = previewPlaygroundRequest(settings, [turn({ state: 'done', text: 'ok', images: [image] })], {
    text: '',
    images: [],
  })
  expect(JSON.stringify(shown)).not.toContain('AAAA')
  expect(JSON.stringify(shown)).toContain('data:image/png;base64,<the image in base64>')
  expect(shown.messages.at(-1)).toEqual({ role: 'user', content: 'Hello' })
})

test('the sum has the known charges', () => {
  expect(sumCharges([turn({ cost: { charged: 3 } }), turn({}), turn({ cost: { charged: 4 } })])).toBe(7)
})
