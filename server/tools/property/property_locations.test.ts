import { expect, test } from 'vitest'
import { withSandboxProviders } from '../../../tests/support/providers'
import { runToolUnbilled } from '../../../tests/support/run-tool'
import { describeParams } from '../params'
import { propertyLocations } from './property_locations'

withSandboxProviders()

test('a divisible location has parts, and its divisible parts have parts', async () => {
  const { result } = await runToolUnbilled(propertyLocations, { locationId: '0-EU-ES-90', location: 'es' })
  expect(result).toMatchObject({ totalRows: 3, nextCursor: null })
  expect(result.rows).toContainEqual(expect.objectContaining({ locationId: '0-EU-ES-90-01-001', divisible: true }))
  const deeper = await runToolUnbilled(propertyLocations, {
    locationId: '0-EU-ES-90-01-001',
    location: 'es',
    operation: 'rent',
  })
  expect(deeper.result.rows).toEqual([
    expect.objectContaining({ name: 'Casco Viejo (Centro), Puerto Claro', locationName: 'Casco Viejo, Puerto Claro' }),
    expect.objectContaining({ divisible: false }),
  ])
})

test('an indivisible location has no parts', async () => {
  const { result } = await runToolUnbilled(propertyLocations, { locationId: '0-EU-ES-90-01-002', location: 'es' })
  expect(result).toEqual({ rows: [], totalRows: 0, nextCursor: null })
})

test.each([
  { locationId: undefined },
  { locationId: '' },
  { locationId: '../x' },
  { locationId: '0-EU-ES-90?x=1' },
  { location: undefined },
  { location: 'de' },
  { propertyType: 'homes ' },
  { operation: 'share' },
  { prefix: 'x' },
])('refuses %j', (changed) => {
  const params = { locationId: '0-EU-ES-90', location: 'es', ...changed }
  expect(propertyLocations.params.safeParse(params).success).toBe(false)
})

test('lists its parameters as the contract has them', () => {
  expect(describeParams(propertyLocations).map(({ name, required }) => [name, required])).toEqual([
    ['locationId', true],
    ['location', true],
    ['propertyType', false],
    ['operation', false],
  ])
})
