import { expect, test } from 'vitest'
import { type CodedKind, codeReader, pushNumber, pushText, splitName } from './text-code'

test.each<[string, CodedKind]>([
  ['espresso machine', 'phrase'],
  ['heat pump costs in germany', 'phrase'],
  ['café são paulo', 'phrase'],
  ['c++ vs rust 2026', 'phrase'],
  ['東京 ラーメン', 'phrase'],
  ['', 'phrase'],
  ['mechanicalkeyboards', 'name'],
  ['nils_okafor83', 'name'],
  ['nytimes.com', 'name'],
])('“%s” (%s) comes back from its number, with what was below it', (text, kind) => {
  const code = codeReader(pushText(123n, text, kind))
  expect([code.text(kind), code.rest()]).toEqual([text, 123n])
})

test('numbers come back in the other order', () => {
  const code = codeReader(pushNumber(pushNumber(0n, 5, 7), 12, 60))
  expect([code.number(60), code.number(7), code.rest()]).toEqual([12, 5, 0n])
})

test('any number is some text', () => {
  for (let number = 0n; number < 2n ** 60n; number += 2n ** 53n + 12_345n) {
    expect(codeReader(number).text('phrase').length).toBeLessThan(1000)
  }
})

test('known words take fewer bits than spelled ones', () => {
  const bits = (text: string) => pushText(0n, text, 'phrase').toString(2).length
  expect(bits('keyboards')).toBeLessThan(bits('keybards'))
  expect(splitName('personalfinance')).toEqual(['personal', 'finance'])
})
