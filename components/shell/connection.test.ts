import { expect, test } from 'vitest'
import { connectionOf } from './connection'

test.each([
  [200, 'ok'],
  [207, 'ok'],
  [400, 'ok'],
  [401, 'ended'],
  [403, 'ok'],
  [404, 'ok'],
  [500, 'ok'],
  [502, 'away'],
  [503, 'away'],
  [504, 'away'],
] as const)('a response with status %i means %s', (status, connection) => {
  expect(connectionOf(status)).toBe(connection)
})
