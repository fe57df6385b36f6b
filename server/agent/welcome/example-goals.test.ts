import { expect, test } from 'vitest'
import { exampleRequest } from './example-goals'

const start = { ownerId: 1, idempotencyKey: 'one' }

test.each([
  ['research', 'autonomous'],
  ['homes', 'autonomous'],
  ['site', 'interactive'],
  ['image', 'autonomous'],
])('the example %s is %s', (id, mode) => {
  expect(exampleRequest(id, start)?.mode).toBe(mode)
})

test('the site has a name of its own in every run, and the same one in a repeated start', () => {
  const goal = (given: typeof start) => exampleRequest('site', given)?.goal
  expect(goal(start)).toMatch(/under the name lighthouses-[0-9a-f]{6}\./)
  expect(goal(start)).toBe(goal(start))
  expect(goal({ ...start, ownerId: 2 })).not.toBe(goal(start))
  expect(goal({ ...start, idempotencyKey: 'two' })).not.toBe(goal(start))
})

test('there is no other example', () => {
  expect(exampleRequest('toString', start)).toBeUndefined()
})
