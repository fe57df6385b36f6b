import { expect, test } from 'vitest'
import { frameLine, readFramedLines } from './framed-lines'

const lines = (...texts: string[]) => Buffer.concat(texts.map(frameLine))

test('lines are read as they were written, in any language', () => {
  expect(readFramedLines(lines('{"a":1}', 'é – 日本', ''))).toEqual({
    lines: ['{"a":1}', 'é – 日本', ''],
    damaged: 0,
    isTorn: false,
  })
  expect(readFramedLines(Buffer.alloc(0))).toEqual({ lines: [], damaged: 0, isTorn: false })
})

test('a line that was cut short takes no other with it, wherever it was cut', () => {
  const half = frameLine('{"held":"12"}')
  for (let size = 1; size < half.length; size++) {
    const bytes = Buffer.concat([lines('first'), half.subarray(0, size), lines('second')])
    expect(readFramedLines(bytes)).toEqual({ lines: ['first', 'second'], damaged: 1, isTorn: false })
  }
})

test('the cut end of a killed process is no damage', () => {
  const half = frameLine('{"held":"12"}').subarray(0, 15)
  expect(readFramedLines(Buffer.concat([lines('first'), half]))).toEqual({ lines: ['first'], damaged: 0, isTorn: true })
})

test('a line with a changed byte is left out', () => {
  const bytes = lines('{"actual":"12"}', 'last')
  bytes[bytes.indexOf('12"}')] = '9'.charCodeAt(0)
  expect(readFramedLines(bytes)).toEqual({ lines: ['last'], damaged: 1, isTorn: false })
})
