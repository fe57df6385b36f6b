import { expect, test } from 'vitest'
import { withSandboxProviders } from '../../../tests/support/providers'
import { runToolUnbilled, toolFailureOf } from '../../../tests/support/run-tool'
import { describeParams } from '../params'
import { propertyDetails } from './property_details'

withSandboxProviders()

const details = (propertyId: string) => runToolUnbilled(propertyDetails, { propertyId, location: 'es' })

test('an advertisement has photos apart from floor plans, features, energy certificate and contact', async () => {
  const { result } = await details('90000010')
  expect(result).toMatchObject({
    propertyId: '90000010',
    isListed: true,
    deactivatedAt: null,
    currency: 'EUR',
    size: 95,
    bedrooms: expect.any(Number),
    municipality: 'Puerto Claro',
    province: 'Alboraya de Arriba',
    latitude: 39.1,
    floorPlans: [{ label: 'Plan' }],
    energyCertificate: { status: 'd', consumption: 'Consumption: 120 kWh/m² year' },
    characteristics: { lift: true, swimmingPool: false },
    features: [{ title: 'Basic features', phrases: ['95 m² constructed', 'Lift'] }],
    contactName: 'Casas del Puerto',
    contactPhones: ['+34 900 00 01 01'],
    contactAddress: 'Plaza Mayor 3, 99001 Puerto Claro',
    updatedAt: expect.stringMatching(/^2025-/),
  })
  expect(result.photos).toHaveLength(2)
})

test('a removed advertisement says so, with what is left of it', async () => {
  const { result } = await details('410')
  expect(result).toMatchObject({
    propertyId: '410',
    isListed: false,
    deactivatedAt: '2025-01-02T00:00:00.000Z',
    deactivationReason: 'sold',
    price: null,
    photos: [],
    micrositeShortName: 'casas-del-puerto',
  })
})

test('an unknown advertisement is an error that says so', async () => {
  expect((await toolFailureOf(details('404'))).message).toMatch(/no advertisement 404 there/)
})

test.each([
  { propertyId: undefined },
  { propertyId: '' },
  { propertyId: 'abc' },
  { propertyId: 12 },
  { propertyId: '1/../2' },
  { location: 'xx' },
  { language: 'sv' },
  { locale: 'en' },
])('refuses %j', (changed) => {
  const params = { propertyId: '1', location: 'es', ...changed }
  expect(propertyDetails.params.safeParse(params).success).toBe(false)
})

test('lists its parameters as the contract has them', () => {
  expect(describeParams(propertyDetails)).toMatchObject([
    { name: 'propertyId', type: 'string', required: true },
    { name: 'location', required: true },
    { name: 'language', required: false, description: expect.stringMatching(/Default en\.$/) },
  ])
})
