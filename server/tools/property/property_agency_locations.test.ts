import { expect, test } from 'vitest'
import { withSandboxProviders } from '../../../tests/support/providers'
import { runToolUnbilled, toolFailureOf } from '../../../tests/support/run-tool'
import { describeParams } from '../params'
import { propertyAgencyLocations } from './property_agency_locations'

withSandboxProviders()

const params = { micrositeShortName: 'casas-del-puerto', location: 'es', locationId: '0-EU-ES-90', operation: 'sale' }

test('the province comes with its municipalities, each with its count, and the level distinguishes them', async () => {
  const { result } = await runToolUnbilled(propertyAgencyLocations, params)
  expect(result).toMatchObject({
    rows: [
      { locationId: '0-EU-ES-90', level: 'province', listingCount: 21, divisible: true },
      { level: 'municipality', listingCount: 10 },
      { level: 'municipality', listingCount: 11 },
    ],
    totalRows: 3,
    nextCursor: null,
  })
})

test('an agency without advertisements there has an empty list', async () => {
  const { result } = await runToolUnbilled(propertyAgencyLocations, { ...params, locationId: '0-EU-ES-99' })
  expect(result).toEqual({ rows: [], totalRows: 0, nextCursor: null })
})

test('an unknown agency is an error that says so', async () => {
  const run = runToolUnbilled(propertyAgencyLocations, { ...params, micrositeShortName: 'nobody' })
  expect((await toolFailureOf(run)).message).toMatch(/no agency nobody/)
})

test.each([
  { micrositeShortName: undefined },
  { location: undefined },
  { locationId: undefined },
  { operation: undefined },
  { operation: 'lease' },
  { locale: 'sv' },
  { locationId: 'a b' },
  { language: 'en' },
])('refuses %j', (changed) => {
  expect(propertyAgencyLocations.params.safeParse({ ...params, ...changed }).success).toBe(false)
})

test('lists its parameters as the contract has them', () => {
  expect(describeParams(propertyAgencyLocations).map(({ name, required }) => [name, required])).toEqual([
    ['micrositeShortName', true],
    ['location', true],
    ['locationId', true],
    ['operation', true],
    ['locale', false],
  ])
})
