import { expect, test } from 'vitest'
import { terminalText } from './terminal-text'

test.each([
  ['\u001b[31mred\u001b[0m and \u001b[1;4mbold\u001b[m', 'red and bold'],
  ['\u001b]0;title\u0007after', 'after'],
  ['\u001b]8;;https://x.test\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['one\r\ntwo\n', 'one\ntwo\n'],
  ['10 %\r50 %\r100 %\ndone', '100 %\ndone'],
  ['cut\u001b[3', 'cut'],
  ['plain [31m text', 'plain [31m text'],
])('%j is %j', (output, text) => {
  expect(terminalText(output)).toBe(text)
})
