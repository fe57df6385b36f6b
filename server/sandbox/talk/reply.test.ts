import { describe, expect, test } from 'vitest'
import { makeImageFile } from '../media/image-file'
import { talkReply, talkStep } from './reply'
import { readTalk } from './talk'

/** What is said to the last of these, after the others. */
async function reply(...said: string[]): Promise<string> {
  const messages: { role: string; content: string }[] = []
  for (const content of said) {
    if (messages.length > 0) messages.push({ role: 'assistant', content: await talkReply(readTalk({ messages })) })
    messages.push({ role: 'user', content })
  }
  return talkReply(readTalk({ model: 'gale-4', messages }))
}

describe('the chat script', async () => {
  test.each([
    ['What is 12 * (3 + 4)?', '12 × (3 + 4) = 84.'],
    ['what is 17 plus 25', '17 + 25 = 42.'],
    ['How much is 1,250 divided by 4?', '1250 ÷ 4 = 312.5.'],
    ['20% of 350', '20 ÷ 100 × 350 = 70.'],
    ['Calculate 0.1 + 0.2', '0.1 + 0.2 = 0.3.'],
    ['-2^2 + 10', '- 2 ^ 2 + 10 = 6.'],
    ['What is 1 / 0?', '1 ÷ 0 has no value that I can work out.'],
    ['Say "Hello world"', 'Hello world'],
    ['Reply with the single word: pong', 'pong'],
    ['Reply with exactly OK', 'OK'],
    ['Count from 3 to 6', '3, 4, 5, 6'],
    ['Hello', /^Hello\. I am a script/],
    ['Who are you?', /script .* under the name gale-4/],
    ['How am I charged credits here?', /receipt/],
    ['How do I connect Claude Code to Tollgate?', /Connect/],
    ['Write a poem', /^As a script I cannot/],
    ['What is a toll road?', /toll road/],
    ['I like trains.', /“I like trains\.”/],
    ['2026-11-22', /2026-11-22/],
    ['', /no question/],
  ])('to “%s” it says %s', async (asked, answer) => {
    if (typeof answer === 'string') expect(await reply(asked)).toBe(answer)
    else expect(await reply(asked)).toMatch(answer)
    expect(await reply(asked)).toBe(await reply(asked))
  })

  test.each([
    [['My name is Ada and my favourite colour is blue.', 'What is my name?'], 'Your name is Ada.'],
    [
      ['My name is Ada and my favourite colour is blue.', "What's my favourite colour?"],
      'Your favourite colour is blue, as you said.',
    ],
    [
      ['My dog is a whippet.', 'My dog is a poodle, sorry.', 'What is my dog?'],
      'Your dog is a poodle, sorry, as you said.',
    ],
    [['Hello', 'What is my name?'], 'You have not said your name yet.'],
    [['One thing', 'Another thing', 'What did I say first?'], 'At first you said: “One thing”'],
    [['One thing', 'Another thing', 'What did I just say?'], 'Before this you said: “Another thing”'],
    [['Remember that the code is 4711', 'What do you know about me?'], 'You asked me to remember: “the code is 4711”.'],
    [['What is 6 * 7?', 'times 2'], '(42) × 2 = 84.'],
    [['Call me Bob', 'Hi'], /^Hello again, Bob\./],
    [['Hello', 'Summarise our conversation'], /- “Hello”/],
  ])('it remembers: %j', async (said, answer) => {
    if (typeof answer === 'string') expect(await reply(...said)).toBe(answer)
    else expect(await reply(...said)).toMatch(answer)
  })

  test('it says of images what their files say, and that it cannot see them', async () => {
    const png = await makeImageFile('A lighthouse at night', { width: 640, height: 480 })
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${png.toString('base64')}` } }
    const content = [{ type: 'text', text: 'What is on it?' }, image]
    const said = await talkReply(readTalk({ messages: [{ role: 'user', content }] }))
    expect(said).toMatch(
      /^I see 1 image\. A wide PNG image of 640 × 480 pixels\. .*a lighthouse.* As a script I cannot see what is on it/,
    )
  })

  test('a script in a message is not part of what was said, readable or not', async () => {
    expect(await reply('Hello [[sandbox {"delayMs": 1}]]')).toMatch(/^Hello\./)
    expect(await reply('One [[sandbox {"text": "x"', 'What did I say first?')).toBe('At first you said: “One”')
  })
})

const tool = (name: string, properties: object, required: string[]) => ({
  type: 'function',
  function: { name, description: '', parameters: { type: 'object', properties, required } },
})
const tools = [
  tool('get_weather', { location: { type: 'string' }, unit: { enum: ['celsius', 'fahrenheit'] } }, ['location']),
  tool('web_search', { query: { type: 'string' }, count: { type: 'integer', maximum: 10 } }, ['query']),
  tool('crypto_get_prices', { coinIds: { type: 'array', items: { type: 'string' } } }, ['coinIds']),
  tool('web_read_url', { url: { type: 'string' } }, ['url']),
  tool('send_email', { to: { type: 'string', pattern: '@' }, message: { type: 'string' } }, ['to', 'message']),
]

describe('with tools, the chat script', () => {
  const step = (content: string, more: object = {}) =>
    talkStep({ messages: [{ role: 'user', content }], tools, ...more })

  test.each([
    ['What is the weather in New York?', 'get_weather', { location: 'New York' }],
    ['How warm is it in Paris, in celsius?', 'get_weather', { location: 'Paris', unit: 'celsius' }],
    ['Search the web for night trains', 'web_search', { query: 'night trains' }],
    ['Find 5 results about whales', 'web_search', { query: 'whales', count: 5 }],
    ['What do bitcoin and solana cost?', 'crypto_get_prices', { coinIds: ['bitcoin', 'solana'] }],
    ['Read https://example.com/a.', 'web_read_url', { url: 'https://example.com/a' }],
  ])('asked “%s” calls %s', (asked, name, given) => {
    expect(step(asked)).toEqual({ toolCalls: [{ name, arguments: given }] })
  })

  test.each(['Hello', 'What is 2 + 2?', 'Is it sunny?', 'Send an email', ''])('asked “%s” calls nothing', (asked) => {
    expect(step(asked)).toEqual({})
  })

  test('calls nothing where it may not, and nothing twice', async () => {
    expect(step('What is the weather in Rome?', { tool_choice: 'none' })).toEqual({})
    const messages = [
      { role: 'user', content: 'What is the weather in Rome?' },
      { role: 'assistant', content: null, tool_calls: [] },
      { role: 'tool', content: '{"temperature":21,"unit":"celsius"}' },
    ]
    expect(talkStep({ messages, tools })).toEqual({})
    expect(await talkReply(readTalk({ messages }))).toBe('The tool says: temperature 21, unit celsius.')
  })

  test.each([
    [
      { results: [{ title: 'A', url: 'https://a.example/', snippet: 'About a' }] },
      '- [A](https://a.example/): About a',
    ],
    [{ error: { message: 'It is closed' } }, 'The tool failed: It is closed'],
    ['plain', 'The tool says: plain'],
    ['', 'The tool returned nothing.'],
  ])('answers from the result %j', async (result, answer) => {
    const content = typeof result === 'string' ? result : JSON.stringify(result)
    const messages = [
      { role: 'user', content: 'Well?' },
      { role: 'tool', content },
    ]
    expect(await talkReply(readTalk({ messages }))).toContain(answer)
  })
})
