import { expect, test } from 'vitest'
import { withSandboxProviders } from '../../../tests/support/providers'
import { runToolUnbilled, toolFailureOf } from '../../../tests/support/run-tool'
import { describeParams } from '../params'
import { marketplaceActorDetails } from './marketplace_actor_details'

withSandboxProviders()

const details = (actorId: string) => runToolUnbilled(marketplaceActorDetails, { actorId })

test('an actor has its input schema, an example and the current price, not an announced one', async () => {
  const { result, spentUsd } = await details('places00000000001')
  expect(result).toMatchObject({
    actorId: 'places00000000001',
    name: 'tide/places',
    isDeprecated: false,
    inputSchema: { type: 'object', required: ['query'], properties: { query: { type: 'string' } } },
    exampleInput: { query: 'lighthouses' },
    pricing: { model: 'PAY_PER_EVENT', pricePerItemUsd: 0.004 },
  })
  expect(spentUsd).toEqual([0])
})

test('a schema that is only there as text is read too', async () => {
  const { result } = await details('prices00000000001')
  expect(result).toMatchObject({ inputSchema: { required: ['query'] }, pricing: { pricePerItemUsd: 0.005 } })
})

test('an actor without schema, example and price is returned', async () => {
  const { result } = await details('pages000000000001')
  expect(result).toMatchObject({
    inputSchema: null,
    exampleInput: null,
    pricing: { model: 'FREE', paysPlatformUsage: true },
  })
})

test.each(['tide/places', 'tide~places'])('%s names the same actor', async (actorId) => {
  expect((await details(actorId)).result).toMatchObject({ actorId: 'places00000000001' })
})

test('an unknown actor is an error that says where ids come from', async () => {
  expect((await toolFailureOf(details('nosuchactor'))).message).toMatch(
    /no actor nosuchactor .* marketplace_search_actors/,
  )
})

test.each([{}, { actorId: '' }, { actorId: 'a b' }, { actorId: '../x/y' }, { actorId: 'a?b' }, { actorId: 1 }])(
  'refuses %j',
  (params) => {
    expect(marketplaceActorDetails.params.safeParse(params).success).toBe(false)
  },
)

test('lists its parameter as the contract has it', () => {
  expect(describeParams(marketplaceActorDetails)).toMatchObject([{ name: 'actorId', type: 'string', required: true }])
})
