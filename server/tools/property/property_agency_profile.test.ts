import { expect, test } from 'vitest'
import { withProviderAt } from '../../../tests/support/providers'
import { runToolUnbilled, toolFailureOf } from '../../../tests/support/run-tool'
import { describeParams } from '../params'
import { propertyAgencyProfile } from './property_agency_profile'

const provider = withProviderAt((url) => ({ IDEALISTA_BASE_URL: url, RAPIDAPI_KEY: 'k' }))
const profile = () => runToolUnbilled(propertyAgencyProfile, { micrositeShortName: 'casas', location: 'es' })

test('a profile has documented fields, and keeps undocumented ones', async () => {
  provider.respondWith({
    body: {
      commercialName: 'Casas',
      micrositeShortName: 'casas',
      agencyLogo: '',
      phone1: { phoneNumber: '900000101', prefix: '34' },
      address: { streetName: 'Plaza Mayor', streetNumber: 3, locationName: 'Puerto Claro', postalCode: 99001 },
      corporatePhrase: { text: 'By the water.', autoTranslated: false },
      totalAds: 28,
      webUrl: 'http://www.example.com',
      foundedIn: 1987,
      nested: { a: 1 },
    },
  })
  expect((await profile()).result).toEqual({
    micrositeShortName: 'casas',
    name: 'Casas',
    description: 'By the water.',
    phones: ['+34 900000101'],
    address: 'Plaza Mayor 3, 99001 Puerto Claro',
    website: 'http://www.example.com',
    logo: null,
    listingCount: 28,
    more: { foundedIn: 1987 },
  })
  expect(provider.requests[0]?.url.pathname).toBe('/getmicrositeprofile')
})

test('fields that are missing or of another type are null', async () => {
  provider.respondWith({
    body: { contactName: 'Casas', totalAds: 'many', phone1: null, address: [], corporatePhrase: 5 },
  })
  expect((await profile()).result).toMatchObject({ name: 'Casas', listingCount: null, phones: [], address: null })
})

test.each([{ body: {} }, { status: 404, body: { message: 'Microsite not found', httpStatus: 404 } }])(
  'an unknown agency, reported as %j, is an error that says so',
  async (reply) => {
    provider.respondWith(reply)
    expect((await toolFailureOf(profile())).message).toMatch(/no agency casas/)
  },
)

test.each([
  { micrositeShortName: undefined },
  { micrositeShortName: '' },
  { micrositeShortName: 'a/b' },
  { micrositeShortName: 5 },
  { location: undefined },
  { location: 'at' },
  { locale: 'en' },
])('refuses %j', (changed) => {
  const params = { micrositeShortName: 'casas', location: 'es', ...changed }
  expect(propertyAgencyProfile.params.safeParse(params).success).toBe(false)
})

test('lists its parameters as the contract has them', () => {
  expect(describeParams(propertyAgencyProfile).map(({ name, required }) => [name, required])).toEqual([
    ['micrositeShortName', true],
    ['location', true],
  ])
})
