import { expect, test } from 'vitest'
import { agentTools } from '../../agent-tools/registry'
import { routeGoal } from '../agents/router'
import { exampleRequest } from './example-goals'

const start = { ownerId: 1, idempotencyKey: 'one' }

test.each([
  ['research', 'research', 'autonomous'],
  ['homes', 'real_estate', 'autonomous'],
  ['site', 'general', 'interactive'],
  ['image', 'media', 'autonomous'],
])('the goal of %s goes to the %s agent, %s', (id, agent, mode) => {
  const request = exampleRequest(id, start)
  expect(request?.mode).toBe(mode)
  expect(routeGoal(request?.goal ?? '', agentTools()).id).toBe(agent)
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
