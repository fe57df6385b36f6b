import { expect, test } from 'vitest'
import {
  changedConversation,
  conversationTitle,
  listedConversations,
  renamedConversation,
  restoredTurns,
} from './conversations'
import { firstSettings, parseKeptSettings } from './kept-settings'
import { type ChatTurn, newChatTurn } from './turn'

const settings = firstSettings('a/b')
const turn = (text: string): ChatTurn => newChatTurn(1, ['a/b'], { text, images: [] })
const made = (id: string, text: string, now: number) =>
  changedConversation(null, { id, settings, turns: [turn(text)], now })

test('a conversation is named after the first line of its first message', () => {
  expect(conversationTitle([turn('  What is a toll road?\nIn short.'), turn('And now?')])).toBe('What is a toll road?')
  expect(conversationTitle([turn('x'.repeat(100))])).toHaveLength(60)
  expect(conversationTitle([])).toBe('New conversation')
  const image = { name: 'x.png', url: 'data:', bytes: 1 }
  expect(conversationTitle([newChatTurn(1, ['a/b'], { text: '', images: [image] })])).toBe('An image')
})

test('a title that its owner gave stays, until it is emptied', () => {
  const renamed = renamedConversation(made('1', 'Hello', 1), ' Tolls ')
  expect(changedConversation(renamed, { id: '1', settings, turns: [turn('Hello')], now: 2 }).title).toBe('Tolls')
  expect(renamedConversation(renamed, '  ')).toMatchObject({ title: 'Hello', isNamed: false })
})

test('the list has the newest first, without the messages', () => {
  const list = listedConversations([made('1', 'old', 1), made('2', 'new', 2)])
  expect(list).toEqual([
    { id: '2', title: 'new', updatedAt: 2 },
    { id: '1', title: 'old', updatedAt: 1 },
  ])
})

test('a conversation comes back with what was on its way stopped', () => {
  expect(restoredTurns([turn('Hello')])[0]?.answers[0]?.state).toBe('stopped')
})

test.each([
  [null, {}],
  ['no json', {}],
  ['[]', {}],
  ['{"models":["gone/away"],"system":7}', {}],
  [
    '{"models":["c/d","a/b"],"system":"Be brief.","tools":["web_search",1]}',
    {
      models: ['c/d', 'a/b'],
      system: 'Be brief.',
      tools: ['web_search'],
    },
  ],
  ['{"models":["a/b","c/d","e/f","g/h"]}', { models: ['a/b', 'c/d', 'e/f'] }],
])('settings kept as %j are read as far as they are known', (text, expected) => {
  const known = ['a/b', 'c/d', 'e/f', 'g/h']
  expect(parseKeptSettings(text, 'a/b', known)).toEqual({ ...settings, ...expected })
})
