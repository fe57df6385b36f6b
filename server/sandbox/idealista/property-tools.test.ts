import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { withSandboxProviders } from '../../../tests/support/providers'
import { toolFailureOf, toolResult } from '../../../tests/support/run-tool'
import { AdDetails } from '../../tools/property/ad-details'
import { AgencyLocations, AgencyProfile } from '../../tools/property/agency'
import { LocationList } from '../../tools/property/fields'
import { propertyAgencyLocations } from '../../tools/property/property_agency_locations'
import { propertyAgencyProfile } from '../../tools/property/property_agency_profile'
import { propertyDetails } from '../../tools/property/property_details'
import { propertyLocations } from '../../tools/property/property_locations'
import { propertySearch } from '../../tools/property/property_search'
import { propertySuggestions } from '../../tools/property/property_suggestions'
import { PropertySearchRow } from '../../tools/property/search-row'

withSandboxProviders()

type Row = z.output<typeof PropertySearchRow>
const Found = z.object({ rows: z.array(PropertySearchRow), totalRows: z.int(), nextCursor: z.string().nullable() })

const VALENCIA = { locationId: '0-EU-ES-46-01-001', locationName: 'Valencia, Valencia', location: 'es' }
const search = async (changed: object = {}) =>
  Found.parse(await toolResult(propertySearch, { ...VALENCIA, operation: 'sale', maxResults: 480, ...changed }))
const suggest = async (prefix: string, location: string, changed: object = {}) =>
  LocationList.parse(await toolResult(propertySuggestions, { prefix, location, ...changed })).rows
const details = async ({ propertyId }: Row, changed: object = {}) =>
  AdDetails.parse(await toolResult(propertyDetails, { propertyId, location: 'es', ...changed }))

const pick = (place: { locationId: string; locationName: string } | undefined) => ({
  locationId: place?.locationId,
  locationName: place?.locationName,
})

describe('places', () => {
  test.each([
    ['madrid', 'es', 'Madrid, Madrid'],
    ['malaga', 'es', 'Málaga, Málaga'],
    ['Málaga', 'es', 'Málaga, Málaga'],
    ['seville', 'es', 'Sevilla, Sevilla'],
    ['getafe', 'es', 'Getafe, Madrid'],
    ['Salamanca, Madrid', 'es', 'Salamanca, Madrid'],
    ['l hospitalet', 'es', "L'Hospitalet de Llobregat, Barcelona"],
    ['lisbon', 'pt', 'Lisboa, Lisboa'],
    ['Évora', 'pt', 'Évora, Évora'],
    ['rome', 'it', 'Roma, Roma'],
    ['trastevere', 'it', 'Trastevere, Roma'],
  ])('%s in %s is %s', async (prefix, location, name) => {
    const [first] = await suggest(prefix, location)
    expect(first).toMatchObject({ name, listingCount: expect.any(Number) })
    const found = await search({ ...pick(first), location, maxResults: 5 })
    expect(found.totalRows).toBe(first?.listingCount)
    expect(found.rows.every(({ country }) => country === location)).toBe(true)
  })

  test('what is not a place there has none', async () => {
    expect(await suggest('xqzwk', 'es')).toEqual([])
    expect(await suggest('roma', 'pt')).toEqual([])
  })

  test('the parts of a city add up to it, and its homes are in them', async () => {
    const parts = LocationList.parse(
      await toolResult(propertyLocations, { locationId: VALENCIA.locationId, location: 'es' }),
    ).rows
    const { rows, totalRows } = await search()
    expect(parts.reduce((sum, { listingCount }) => sum + Number(listingCount), 0)).toBe(totalRows)
    expect(new Set(parts.map(({ locationId }) => locationId))).toEqual(new Set(rows.map((row) => row.locationId)))
  })

  test('each type is counted as it is listed', async () => {
    for (const [propertyType, listed, operation] of [
      ['offices', 'offices', 'rent'],
      ['premises', 'commercial', 'sale'],
      ['garages', 'garages', 'sale'],
      ['bedrooms', 'rooms', 'rent'],
      ['newDevelopments', 'newhomes', 'sale'],
      ['land', 'lands', 'sale'],
    ] as const) {
      const [place] = await suggest('bilbao', 'es', { propertyType, operation })
      const found = await search({ ...pick(place), propertyType: listed, operation, maxResults: 1 })
      expect(found.totalRows, listed).toBe(place?.listingCount)
    }
  })
})

const perMetre = (row: Row) => Number(row.pricePerSquareMetre)
const rising = (values: number[]) => expect(values).toEqual([...values].sort((a, b) => a - b))
const age = (row: Row) => (Date.now() - Date.parse(row.publishedAt ?? '')) / 86_400_000

test.each<[string, (rows: Row[]) => void]>([
  ['lowestprice', (rows) => rising(rows.map((row) => Number(row.price)))],
  ['highestprice', (rows) => rising(rows.map((row) => -Number(row.price)))],
  ['lowestpricem2', (rows) => rising(rows.map(perMetre))],
  ['highestpricem2', (rows) => rising(rows.map((row) => -perMetre(row)))],
  ['biggest', (rows) => rising(rows.map((row) => -Number(row.size)))],
  ['smallest', (rows) => rising(rows.map((row) => Number(row.size)))],
  ['mostrecent', (rows) => rising(rows.map(age).map(Math.floor))],
  ['leastrecent', (rows) => rising(rows.map(age).map((days) => -Math.floor(days)))],
  ['highestpricereduction', (rows) => rising(rows.map((row) => -Number(row.priceDropPercent ?? 0)))],
])('order %s holds over all pages', async (order, holds) => {
  const { rows } = await search({ order })
  expect(rows).toHaveLength(480)
  expect(new Set(rows.map((row) => row.propertyId)).size).toBe(480)
  holds(rows)
})

test.each<[object, (row: Row) => boolean]>([
  [{ minPrice: 200_000, maxPrice: 300_000 }, ({ price }) => Number(price) >= 200_000 && Number(price) <= 300_000],
  [{ minSize: 80, maxSize: 100 }, ({ size }) => Number(size) >= 80 && Number(size) <= 100],
  [{ bedrooms: [0] }, ({ bedrooms }) => bedrooms === 0],
  [{ bedrooms: [2, 3] }, ({ bedrooms }) => bedrooms === 2 || bedrooms === 3],
  [{ bedrooms: [4] }, ({ bedrooms }) => Number(bedrooms) >= 4],
  [{ elevator: true }, (row) => row.hasElevator === true],
  [{ garage: true }, (row) => row.hasParking === true],
  [{ swimmingPool: true }, (row) => row.hasSwimmingPool === true],
  [{ terrace: true }, (row) => row.hasTerrace === true],
  [{ airConditioning: true }, (row) => row.hasAirConditioning === true],
  [{ exterior: true }, (row) => row.isExterior === true],
  [{ garden: true }, (row) => row.hasGarden === true],
  [{ newDevelopment: true }, (row) => row.isNewDevelopment === true],
  [{ propertyType: 'newhomes' }, (row) => row.isNewDevelopment === true],
  [{ bankOffer: true }, (row) => /^Banca/.test(row.contactName ?? '')],
  [{ sinceDate: 'Y' }, (row) => age(row) < 2],
  [{ sinceDate: 'W' }, (row) => age(row) < 8],
  [{ sinceDate: 'M', operation: 'rent' }, (row) => age(row) < 31 && row.operation === 'rent'],
  [{ sinceDate: 'T', operation: 'rent' }, (row) => age(row) < 1],
  [
    { operation: 'rent', propertyType: 'rooms', terrace: true },
    (row) => row.propertyType === 'bedroom' && row.tenantCount !== null,
  ],
  [{ propertyType: 'garages', maxSize: 15 }, (row) => row.propertyType === 'garage' && Number(row.size) <= 15],
  [{ propertyType: 'storagerooms' }, (row) => row.propertyType === 'storageRoom'],
  [{ propertyType: 'buildings' }, (row) => row.propertyType === 'building'],
  [{ propertyType: 'lands' }, (row) => row.propertyType === 'land'],
  [{ propertyType: 'offices', elevator: true }, (row) => row.propertyType === 'office' && row.hasElevator === true],
  [{ propertyType: 'commercial' }, (row) => row.propertyType === 'premises'],
])('the filter %j leaves some, all of which pass', async (filter, passes) => {
  const { rows, totalRows } = await search(filter)
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.filter((row) => !passes(row))).toEqual([])
  const { totalRows: all } = await search({ ...filter, ...none(filter), maxResults: 1 })
  expect(totalRows).toBeLessThanOrEqual(all)
})

/** The filter without its conditions: only what says which list is asked. */
const none = (filter: object) =>
  Object.fromEntries(
    Object.keys(filter)
      .filter((name) => !['operation', 'propertyType'].includes(name))
      .map((name) => [name, undefined]),
  )

test.each(['furnished', 'furnishedKitchen'])('%s homes for rent say so in their details', async (furnished) => {
  const { rows } = await search({ operation: 'rent', furnished, maxResults: 4 })
  for (const row of rows) expect((await details(row)).characteristics.housingFurnitures).toBe(furnished)
})

test('the details of an advertisement agree with its row', async () => {
  const { rows } = await search({ maxResults: 12 })
  for (const row of rows) {
    const ad = await details(row)
    expect(ad).toMatchObject({
      propertyId: row.propertyId,
      isListed: true,
      title: row.title,
      description: row.description,
      price: row.price,
      size: row.size,
      bedrooms: row.bedrooms,
      bathrooms: row.bathrooms,
      address: row.address,
      url: row.url,
      operation: row.operation,
      propertyType: row.propertyType,
      locationId: row.locationId,
      municipality: row.municipality,
      district: row.district,
      latitude: row.latitude,
      longitude: row.longitude,
      characteristics: { lift: row.hasElevator, garden: row.hasGarden, status: row.condition },
      contactName: row.contactName,
      micrositeShortName: row.micrositeShortName,
    })
    expect(ad.photos.map(({ url }) => url)).toEqual(row.images)
    expect(ad.floorPlans).toHaveLength(row.hasFloorPlan ? 1 : 0)
  }
})

test('texts are in the language that was asked for', async () => {
  const [row] = (await search({ locale: 'de', maxResults: 1 })).rows
  expect(row?.description).toMatch(/zum Verkauf in/)
  expect(row && (await details(row, { language: 'it' })).description).toMatch(/in vendita in/)
})

test('an advertisement is not found in another country, nor a code that was never given out', async () => {
  const [row] = (await search({ maxResults: 1 })).rows
  const abroad = toolResult(propertyDetails, { propertyId: row?.propertyId, location: 'it' })
  expect((await toolFailureOf(abroad)).message).toMatch(/no advertisement/)
  const unknown = toolResult(propertyDetails, { propertyId: '1000000999', location: 'es' })
  expect((await toolFailureOf(unknown)).message).toMatch(/no advertisement/)
})

test('an agency has as many advertisements as its profile, its places and the searches say', async () => {
  const soria = { locationId: '0-EU-ES-42', locationName: 'Soria provincia', location: 'es' }
  const TYPES = ['homes', 'newhomes', 'garages', 'storagerooms', 'buildings', 'lands', 'offices', 'commercial']
  const sold = (await Promise.all(TYPES.map((propertyType) => search({ ...soria, propertyType })))).flatMap(
    ({ rows }) => rows,
  )
  const slug = sold.find((row) => row.micrositeShortName !== null)?.micrositeShortName
  const theirs = sold.filter((row) => row.micrositeShortName === slug)
  const places = async (operation: string) =>
    AgencyLocations.parse(
      await toolResult(propertyAgencyLocations, {
        locationId: soria.locationId,
        location: 'es',
        micrositeShortName: slug,
        operation,
      }),
    ).rows
  const [forSale, forRent] = [await places('sale'), await places('rent')]
  expect(forSale[0]).toMatchObject({ locationId: '0-EU-ES-42', level: 'province', listingCount: theirs.length })
  for (const town of forSale.slice(1))
    expect(theirs.filter((row) => row.locationId === town.locationId)).toHaveLength(Number(town.listingCount))
  const profile = AgencyProfile.parse(
    await toolResult(propertyAgencyProfile, { micrositeShortName: slug, location: 'es' }),
  )
  expect(profile).toMatchObject({ micrositeShortName: slug, name: theirs[0]?.contactName })
  expect(profile.listingCount).toBe(theirs.length + Number(forRent[0]?.listingCount))
  expect(profile.phones[0]).toContain(String(theirs[0]?.contactPhones[0]))
})
