import { expect, test } from 'vitest'
import { InnertubeText, parseClock, parseExactCount, parseRoundedCount } from './text-fields'

test.each([
  ['22,111,847 views', 22_111_847],
  ['1 view', 1],
  ['No views', 0],
  ['', 0],
  [' ', 0],
  ['67', 67],
  ['1.2K', 1200],
  ['25.4m subscribers', 25_400_000],
  ['1.1B views', 1_100_000_000],
  ['Comments', null],
  [null, null],
])('%j counts %j', (text, count) => {
  expect(parseRoundedCount(text)).toBe(count)
})

test.each([
  ['390.201 Aufrufe', 390_201],
  ['390 201 vues', 390_201],
  ['3,90,201 बार देखा गया', 390_201],
  ['390,201 回視聴', 390_201],
  ['12 vistas', 12],
  ['3,9 Mio. Aufrufe', null],
  ['1.25 M', null],
  ['keine Aufrufe', null],
  [null, null],
])('%j is exactly %j', (text, count) => {
  expect(parseExactCount(text)).toBe(count)
})

test.each([
  ['0:09', 9],
  ['47:20', 2840],
  ['1:02:03', 3723],
  ['LIVE', null],
  ['1:2:3:4', null],
  [null, null],
])('%j is %j seconds', (clock, seconds) => {
  expect(parseClock(clock)).toBe(seconds)
})

test.each([
  [{ simpleText: 'a' }, 'a'],
  [{ runs: [{ text: 'a' }, { text: 'b', bold: true }] }, 'ab'],
  [{ content: 'c', styleRuns: [] }, 'c'],
  [{ runs: 'x' }, null],
  [undefined, null],
  ['bare', null],
])('text %j is %j', (wire, text) => {
  expect(InnertubeText.parse(wire)).toBe(text)
})
