import { expect, test } from 'vitest'
import { agentTools, allowedAgentTools } from '../../agent-tools/registry'
import { AGENTS, agentsFor, findAgent, routeGoal } from './router'

const all = agentTools()

test.each([
  ['Research the latest news on toll roads and compare the sources', 'research'],
  ['What do people say in forums about it? Summarise the sentiment of the comments', 'social'],
  ['What does bitcoin cost?', 'crypto'],
  ['Find apartments to rent in Madrid with two bedrooms', 'real_estate'],
  ['Homes for sale in Lisbon: how many are there, and what is their average price?', 'real_estate'],
  ['Draw a logo: a picture of a toll gate', 'media'],
  ['Export the orders table as CSV and count the rows per region with SQL', 'data'],
  ['Publish a landing page', 'general'],
  ['Hm.', 'general'],
  ['', 'general'],
  ['Etwas ganz anderes', 'general'],
])('“%s” goes to the %s agent', (goal, id) => {
  expect(routeGoal(goal, all).id).toBe(id)
})

test('an agent without a tool in the run is neither chosen nor offered for a hand-off', () => {
  const only = allowedAgentTools({ capabilities: ['pod'], disabledTools: [] })
  expect(routeGoal('What does bitcoin cost?', only).id).toBe('general')
  expect(agentsFor(only).map(({ id }) => id)).toEqual(['data', 'general'])
})

test('a run has only the tools of its capabilities that the owner has not disabled', () => {
  const tools = allowedAgentTools({ capabilities: ['web', 'crypto'], disabledTools: ['web_search'] }).map(
    ({ id }) => id,
  )
  expect(tools).toEqual(['web_read_url', 'web_screenshot', 'crypto_get_prices', 'crypto_get_market_data'])
})

test('every tool belongs to an agent besides the general one', () => {
  const alone = all.filter((tool) => AGENTS.filter((agent) => agent.uses(tool)).length < 2).map(({ id }) => id)
  expect(alone).toEqual([])
  expect(findAgent('nobody').id).toBe('general')
})
