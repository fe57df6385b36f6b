import { expect, test } from 'vitest'
import { joinRest, wholeSentences } from './whole-sentences'

test.each([
  ['One is here. Two is here. And thr', 'One is here. Two is here.'],
  ['Bitcoin rose. Solana: [Solana News November', 'Bitcoin rose.'],
  ['| a | b |\n| 1 | 2 |\n| 3 | 4 |\n| 5', '| a | b |\n| 1 | 2 |\n| 3 | 4 |'],
  ['First paragraph is long enough.\n\n## Next', 'First paragraph is long enough.'],
  ['Both are here.\n\n- one thing\n- another thing\n- ', 'Both are here.\n\n- one thing\n- another thing'],
  ['The first half of the answer', 'The first half of the answer'],
  ['价格是一百。它又涨了', '价格是一百。'],
  ['See the block, which is long.\n\n```\na\nb\nc', 'See the block, which is long.\n\n```\na\nb\n```'],
])('%j ends as a whole', (cut, whole) => {
  expect(wholeSentences(cut)).toBe(whole)
})

test('the rest of a table goes on in it, and a text is a new paragraph', () => {
  expect(joinRest('| a |\n| 1 |', '| 2 |\n\nDone.')).toBe('| a |\n| 1 |\n| 2 |\n\nDone.')
  expect(joinRest('One is here.', 'Two is here.')).toBe('One is here.\n\nTwo is here.')
  expect(joinRest('One is here. Two is here.', 'Two is here. Three.')).toBe('One is here. Two is here. Three.')
})
