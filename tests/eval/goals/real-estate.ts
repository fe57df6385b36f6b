import { homeListing, simulatedPlaces } from '../../../server/sandbox/idealista/puerto-claro'
import { calledTimes, lacks, madeCalls, unless } from '../checks'
import type { Goal } from '../goal'
import type { Inquiry } from '../models/inquiry'
import { visibleField } from '../models/visible'

/** The homes of a place as its provider lists them. */
function homesIn(name: string, operation: 'sale' | 'rent') {
  const place = simulatedPlaces.find((each) => each.name.startsWith(name))
  if (!place) throw new Error(`no place ${name}`)
  return Array.from({ length: place.ads }, (_, n) => homeListing(place, n, operation, 'homes', ''))
}

/** A place as its model finds it: by the beginning of its name. */
function placeOf(ask: Inquiry, prefix: string) {
  const rows = ask.rows(ask.call('property_suggestions', { prefix, location: 'es' }))
  const place = rows.find(({ name }) => String(name).startsWith(prefix)) ?? rows[0]
  return { locationId: place?.locationId, locationName: place?.locationName, location: 'es' }
}

const PROVINCE = 'Alboraya de Arriba'
const LIMIT = 200_000
const SEARCHED = 480

export const realEstateGoals: readonly Goal[] = [
  {
    id: 'cheapest-rent',
    agent: 'real_estate',
    text: () => 'Find the cheapest home for rent in Puerto Claro in Spain: its price per month, size and property id.',
    maxCredits: 500,
    mishap: (n) => (n === 0 ? 'broken_arguments' : null),
    solve: (ask) => {
      const place = placeOf(ask, 'Puerto Claro')
      const [home] = ask.rows(
        ask.call('property_search', { ...place, operation: 'rent', maxResults: 5, order: 'lowestprice' }),
      )
      return `The cheapest is ${home?.propertyId}: ${home?.price} EUR a month, ${home?.size} square metres.`
    },
    check: (o) => {
      const cheapest = homesIn('Puerto Claro', 'rent').reduce((a, b) => (b.price < a.price ? b : a))
      return [...lacks(o, cheapest.price, cheapest.size), ...calledTimes(o, 'property_search', { min: 1, max: 1 })]
    },
  },
  {
    id: 'large-search',
    agent: 'general',
    text: () =>
      `Get ${SEARCHED} homes for sale in ${PROVINCE} in Spain with one search, sorted by relevance, keep them as the dataset homes_alboraya, and count with SQL how many of these ${SEARCHED} homes cost less than ${LIMIT} EUR.`,
    maxCredits: 2_500,
    solve: (ask) => {
      const search = ask.call('property_search', { ...placeOf(ask, PROVINCE), operation: 'sale', maxResults: SEARCHED })
      if (ask.offers('dataset_create', 'fromStep') && ask.stepOf(search) !== null)
        ask.call('dataset_create', { name: 'homes_alboraya', fromStep: ask.stepOf(search), path: 'rows' })
      else {
        const rows = ask.rows(search).map(({ propertyId, price, size }) => ({ propertyId, price, size }))
        ask.call('dataset_create', { name: 'homes_alboraya', rows })
      }
      const counted = ask.call('dataset_query', {
        sql: `SELECT count(*) AS n, count(*) FILTER (WHERE price < ${LIMIT}) AS cheap FROM homes_alboraya`,
      })
      return `${visibleField(counted.text, 'cheap')} of ${visibleField(counted.text, 'n')} homes cost less than ${LIMIT} EUR.`
    },
    check: (o) => {
      const cheap = homesIn(PROVINCE, 'sale')
        .slice(0, SEARCHED)
        .filter(({ price }) => price < LIMIT).length
      return [...lacks(o, cheap, SEARCHED), ...calledTimes(o, 'property_search', { min: 1, max: 1 })]
    },
  },
  {
    id: 'average-price',
    agent: 'real_estate',
    text: () =>
      'Homes for sale in Casco Viejo, a district of Puerto Claro in Spain: how many homes are there, and their average price in whole EUR?',
    maxCredits: 900,
    solve: (ask) => {
      const homes = ask.rows(
        ask.call('property_search', { ...placeOf(ask, 'Casco Viejo'), operation: 'sale', maxResults: 60 }),
      )
      const average = homes.reduce((sum, { price }) => sum + Number(price), 0) / homes.length
      return `${homes.length} homes, on average ${Math.round(average)} EUR.`
    },
    check: (o) => {
      const homes = homesIn('Casco Viejo', 'sale')
      return lacks(o, homes.length, Math.round(homes.reduce((sum, { price }) => sum + price, 0) / homes.length))
    },
  },
  {
    id: 'agency',
    agent: 'real_estate',
    text: () => 'Give phone and street of the estate agency casas-del-puerto in Spain, and how many listings it has.',
    maxCredits: 300,
    solve: (ask) => {
      const { text } = ask.call('property_agency_profile', { micrositeShortName: 'casas-del-puerto', location: 'es' })
      const phone = /900 ?00 ?01 ?01/.exec(text)?.[0]
      return `Phone ${phone}, ${/Plaza Mayor/.exec(text)?.[0]}, ${visibleField(text, 'listingCount')} listings.`
    },
    check: (o) => lacks(o, 'Plaza Mayor', 28),
  },
  {
    id: 'two-details',
    agent: 'real_estate',
    text: () =>
      'Compare the homes 90000010 and 90000021 in Spain: price of each in EUR and which of the two is cheaper per property listing.',
    maxCredits: 500,
    isStrict: true,
    solve: (ask) => {
      const ids = ['90000010', '90000021']
      const shown = ask.all(
        ids.map((propertyId) => ({ name: 'property_details', args: { propertyId, location: 'es' } })),
      )
      const prices = shown.map(({ text }) => Number(visibleField(text, 'price')))
      const cheaper = (prices[0] ?? 0) < (prices[1] ?? 0) ? ids[0] : ids[1]
      return `${ids.map((id, i) => `${id}: ${prices[i]} EUR`).join('; ')}. The cheaper one is ${cheaper}.`
    },
    check: (o) => [
      ...lacks(o, 90_000 + ((10 * 7919) % 600_000), 90_000 + ((21 * 7919) % 600_000)),
      ...unless(madeCalls(o, 'property_details').length === 2, 'not both details were read'),
    ],
  },
  {
    id: 'money-ends',
    agent: 'real_estate',
    text: () =>
      'For each of the places Puerto Claro, Villamolino, Valdenada and Casco Viejo in Spain find how many homes are for sale there.',
    key: { agentRunBudgetCredits: 320 },
    maxCredits: 320,
    solve: (ask) => {
      const places = ['Puerto Claro', 'Villamolino', 'Valdenada', 'Casco Viejo'].map((prefix) => {
        const row = ask.rows(ask.call('property_suggestions', { prefix, location: 'es' }))[0]
        return `- ${prefix}: ${row?.listingCount} homes`
      })
      return places.join('\n')
    },
    check: (o) => {
      const budget = o.job.budget as { reached: boolean }
      return [...unless(budget.reached, 'budget.reached is false'), ...lacks(o, 'spend limit', 95)]
    },
  },
]
