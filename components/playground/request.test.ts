import { expect, test } from 'vitest'
import { firstSettings } from './kept-settings'
import { buildPlaygroundRequest, checkChatSettings, previewPlaygroundRequest, pricedPlaygroundRequest } from './request'
import {
  type AttachedImage,
  type ChatAnswer,
  type ChatDraft,
  type ChatRound,
  type ChatSettings,
  type ChatTurn,
  newChatAnswer,
  newChatRound,
  sumCharges,
  sumToolCharges,
} from './turn'

const settings = firstSettings('a/b')
type Given = Partial<Omit<ChatRound, 'calls'>> & {
  state?: ChatAnswer['state']
  message?: string
  images?: AttachedImage[]
  calls?: ChatRound['calls']
  model?: string
}

/** A turn with one answer of one request. */
const turn = ({ state = 'waiting', message = 'one', images = [], model = 'a/b', ...round }: Given): ChatTurn => ({
  id: 1,
  message,
  images,
  answers: [{ ...newChatAnswer(model), state, rounds: [{ ...newChatRound(), ...round }] }],
})
const call = { id: 'c1', name: 'web_search', input: '{"query":"x"}', state: 'done', most: 1, requestId: 'r' } as const
const build = (with_: Partial<ChatSettings>, turns: readonly ChatTurn[], draft: ChatDraft) =>
  buildPlaygroundRequest({ ...settings, ...with_ }, 'a/b', { turns, draft })
const image = { name: 'x.png', url: `data:image/png;base64,${'A'.repeat(500)}`, bytes: 375 }
const draft = { text: 'two', images: [] }

test('a plain draft requests a stream and sets no parameter', () => {
  expect(build({}, [], draft)).toEqual({
    model: 'a/b',
    messages: [{ role: 'user', content: 'two' }],
    stream: true,
  })
})

test('the system prompt comes first, then the history, then the draft', () => {
  const turns = [turn({ state: 'done', text: 'uno' }), turn({ state: 'stopped', text: 'un', message: 'again' })]
  const { messages } = build({ system: 'Be brief.' }, turns, draft)
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
  expect(build({}, turns, draft).messages).toHaveLength(1)
})

test('images are parts after the text, or the only parts', () => {
  const [message] = build({}, [], { text: 'see', images: [image] }).messages
  expect(message?.content).toEqual([
    { type: 'text', text: 'see' },
    { type: 'image_url', image_url: { url: image.url } },
  ])
  expect(build({}, [], { text: '', images: [image] }).messages[0]?.content).toHaveLength(1)
})

test('numbers are sent as numbers', () => {
  expect(build({ temperature: '0', maxOutput: ' 64 ' }, [], draft)).toMatchObject({
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
  const turns = [turn({ state: 'done', text: 'ok', images: [image] })]
  const shown = previewPlaygroundRequest(settings, 'a/b', { turns, draft: { text: '', images: [] } })
  expect(JSON.stringify(shown)).not.toContain('AAAA')
  expect(JSON.stringify(shown)).toContain('data:image/png;base64,<the image in base64>')
  expect(shown.messages.at(-1)).toEqual({ role: 'user', content: 'Hello' })
})

test('the priced request has images that are long enough for their price, and no longer', () => {
  const large = { ...image, url: `data:image/png;base64,${'A'.repeat(50_000)}` }
  const priced = pricedPlaygroundRequest(settings, 'a/b', { turns: [], draft: { text: 'see', images: [large] } })
  expect(JSON.stringify(priced).length).toBeLessThan(9_000)
})

test('calls of tools are part of the history, with what they returned', () => {
  const calls = [{ ...call, charged: 1, result: '{"rows":[]}' }]
  const answer = newChatAnswer('a/b')
  const rounds = [
    { ...newChatRound(), text: 'I look.', calls },
    { ...newChatRound(), text: 'Nothing.' },
  ]
  const turns = [{ id: 1, message: 'Find x', images: [], answers: [{ ...answer, state: 'done' as const, rounds }] }]
  expect(build({}, turns, draft).messages).toEqual([
    { role: 'user', content: 'Find x' },
    {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'web_search', arguments: '{"query":"x"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: '{"rows":[]}' },
    { role: 'assistant', content: 'Nothing.' },
    { role: 'user', content: 'two' },
  ])
})

test('each model has its own answers as history, and another’s where it has none', () => {
  const answers = ['a/b', 'c/d'].map((model) => ({
    ...newChatAnswer(model),
    state: 'done' as const,
    rounds: [{ ...newChatRound(), text: `I am ${model}` }],
  }))
  const turns = [{ id: 1, message: 'Who?', images: [], answers }]
  const answerFor = (model: string) => buildPlaygroundRequest(settings, model, { turns, draft }).messages[1]?.content
  expect(['a/b', 'c/d', 'e/f'].map(answerFor)).toEqual(['I am a/b', 'I am c/d', 'I am a/b'])
})

test('tools are offered only where some are on', () => {
  const tools = [{ type: 'function' as const, function: { name: 'x', description: 'X', parameters: {} } }]
  expect(buildPlaygroundRequest(settings, 'a/b', { turns: [], draft, tools }).tools).toEqual(tools)
  expect(build({}, [], draft)).not.toHaveProperty('tools')
})

test('the sums have the known charges, of tools too', () => {
  const turns = [
    turn({ cost: { charged: 3 } }),
    turn({}),
    turn({ cost: { charged: 4 }, calls: [{ ...call, charged: 20, result: null }] }),
  ]
  expect([sumCharges(turns), sumToolCharges(turns)]).toEqual([27, 20])
})
