import { describe, expect, it } from 'vitest'
import { isAnnouncement } from './announcement'
import { callsInText } from './text-calls'

const NAMES = ['web_search', 'dataset_query', 'tools_find']
const names = new Set(NAMES)
const call = { name: 'web_search', arguments: '{"query":"tolls"}' }

describe('a call in a text', () => {
  it.each([
    ['a tag', '<tool_call>{"name": "web_search", "arguments": {"query": "tolls"}}</tool_call>'],
    ['a tag without an end', 'I look.\n<tool_call>\n{"name":"web_search","arguments":{"query":"tolls"}}'],
    ['a fence', 'Now:\n```json\n{"tool": "web_search", "parameters": {"query": "tolls"}}\n```'],
    ['bare JSON', '{"name":"web_search","arguments":{"query":"tolls"}}'],
    [
      'a function within',
      '[{"type":"function","function":{"name":"web_search","arguments":"{\\"query\\":\\"tolls\\"}"}}]',
    ],
    ['a Mistral call', '[TOOL_CALLS][{"name":"web_search","arguments":{"query":"tolls"}}]'],
    ['a Llama call', '<function=web_search>{"query":"tolls"}</function>'],
  ])('is understood: %s', (_form, text) => {
    expect(callsInText(text, names)?.calls).toEqual([call])
  })

  it('may be one of several, after words', () => {
    const text = `First these.\n${[1, 2].map((n) => `<tool_call>{"name":"web_search","arguments":{"query":"${n}"}}</tool_call>`).join('\n')}`
    expect(callsInText(text, names)).toMatchObject({ text: 'First these.', calls: [{}, {}] })
  })

  it.each([
    ['an example that is explained', '```json\n{"name":"web_search","arguments":{}}\n```\nThis is how a call looks.'],
    ['another function', '```json\n{"name":"their_api","arguments":{}}\n```'],
    ['JSON that is an answer', '{"name":"bitcoin","price":1}'],
    ['a text', 'web_search is a tool.'],
  ])('is not %s', (_what, text) => {
    expect(callsInText(text, names)).toBeNull()
  })
})

const isAnnounced = (text: string, isSecond = false) => isAnnouncement(text, { names: NAMES, isSecond })

describe('an announcement', () => {
  it.each([
    'Let me search first.',
    "I'll look that up now",
    'I need the prices. I will call web_search:',
    'Ich werde zuerst nach den Preisen suchen.',
    'Voy a buscar los precios.',
    'Je vais chercher les prix.',
    'Vado a cercare i prezzi.',
    'Vou procurar os preços.',
    'Laat me eerst zoeken.',
    'Najpierw sprawdzę ceny.',
    'Сейчас я поищу цены.',
    '让我先搜索一下价格。',
    'まず価格を調べます。',
    'Searching…',
  ])('is %s', (text) => {
    expect(isAnnounced(text)).toBe(true)
  })

  it.each([
    'Bitcoin costs 64,000 USD. Let me know if you need more.',
    'Found so far: enough.',
    'Done.',
    'The search found nothing. I will not guess.',
    'Which city do you mean?',
    `Long. ${'An answer of many words. '.repeat(30)}I will search more.`,
    'See https://example.com/a: I will look there.',
    'Der Preis ist 12 EUR.',
    'I used web_search and found nothing.',
  ])('is not %s', (text) => {
    expect(isAnnounced(text)).toBe(false)
  })

  it('is no mere end that goes on, once it was asked about', () => {
    expect(isAnnounced('These are the rows:')).toBe(true)
    expect(isAnnounced('These are the rows:', true)).toBe(false)
    expect(isAnnounced('Let me search first.', true)).toBe(true)
  })
})
