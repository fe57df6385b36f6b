import { expect, test } from 'vitest'
import { csvTable } from './csv-table'

test.each([...'=+-@＝＋－＠\t\r'])('a text that begins with %j is no formula', (sign) => {
  const [cell] = csvTable<string>({ name: (text) => text })
    .lines([`${sign}1+1`])
    .split('\n')
  expect(cell?.replace(/^"/, '')).toMatch(/^'/)
})
