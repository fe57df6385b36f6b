import { expect, test } from 'vitest'
import { trimEnd } from './trim-end'

test.each([
  ['a//', '/', 'a'],
  ['a. \n.', ' \n.', 'a'],
  ['///', '/', ''],
  ['', '/', ''],
  ['/a', '/', '/a'],
])('%j without %j at its end is %j', (text, characters, left) => expect(trimEnd(text, characters)).toBe(left))
