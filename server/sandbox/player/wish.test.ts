import { expect, test } from 'vitest'
import { readHomesWish } from './homes-wish'
import { subjectOf } from './subject'
import type { PlayerView } from './view'
import { readWish } from './wish'

const view = (...goals: string[]): PlayerView => ({
  system: '',
  goals,
  offered: new Set(),
  calls: [],
  earlier: [],
  summary: null,
  creditsLeft: null,
  mustFinish: false,
  schema: null,
  begun: '',
})

test.each([
  ['Research night trains in Europe: which routes run, and what a bed costs.', ['research']],
  ['What does bitcoin cost?', ['coins']],
  ['What does bitcoin cost, and what do people write about it?', ['coins', 'social']],
  ['Top 5 coins by market cap in euros, with a chart', ['coins']],
  ['Find apartments to rent in Madrid with two bedrooms', ['homes']],
  ['Research heat pumps for old houses', ['research']],
  ['Draw a logo: a toll gate', ['image']],
  ['Publish a one-page site about tide tables', ['research', 'site']],
  ['Generate a video of waves', ['video']],
  ['What do people say about rye bread on Reddit?', ['social']],
  ['Read https://example.com/a and summarize it', ['links']],
  ['Scrape cafés in Porto with an actor', ['scrape']],
  ['Query my datasets with SQL', ['data']],
  ['Write a file hello.txt', ['shell']],
  ['Toll roads of the Alps', ['research']],
  ['Run `seq 1 5 | wc -l`', ['shell']],
  ['Say hello.', []],
  ['Do it.', []],
])('“%s” wants %j', (goal, topics) => {
  expect([...readWish(view(goal)).topics].sort()).toEqual(topics)
})

test.each([
  ['Research night trains in Europe: which routes run', 'night trains in Europe'],
  ['Please find out what is known about Roman bridges, and report with links', 'known about Roman bridges'],
  ['Publish a one-page site about the lighthouses of Portugal under the name lights-1.', 'lighthouses of Portugal'],
  ['Draw an image of a lighthouse at dusk, in the style of a poster', 'lighthouse at dusk'],
  ['Scrape cafés in Porto with an actor', 'cafés in Porto'],
  ['What do people say about rye bread on Reddit and YouTube?', 'rye bread'],
  ['What do tweets say about night trains?', 'night trains'],
  ['What does bitcoin cost, and what do people write about it?', 'bitcoin'],
  ['The cost of living in Lisbon', 'cost of living in Lisbon'],
  ['Do it.', ''],
  ['', ''],
])('“%s” is about “%s”', (goal, subject) => {
  expect(subjectOf(goal)).toBe(subject)
})

test.each([
  [
    'Flats for sale in Lisbon under €300k with 2 bedrooms',
    'Lisbon',
    'pt',
    'sale',
    { maxPrice: 300_000, bedrooms: [2] },
  ],
  [
    'cheapest homes to rent in valencia, at least 80 m2, with a lift',
    'Valencia',
    'es',
    'rent',
    { minSize: 80, elevator: true, order: 'lowestprice' },
  ],
  [
    'Houses for sale in Monte San Biagio, Italy, over 1.200.000 euros',
    'Monte San Biagio',
    'it',
    'sale',
    { minPrice: 1_200_000 },
  ],
  ['Average price of homes for sale in Porto, and the cheapest', 'Porto', 'pt', 'sale', {}],
  ['Flats for rent near Springfield up to 900', 'Springfield', null, 'rent', { maxPrice: 900 }],
])('“%s” is read with its place and filters', (goal, name, country, operation, filters) => {
  const homes = readHomesWish(readWish(view(goal)))
  expect(homes.places).toEqual([{ name, country }])
  expect(homes).toMatchObject({ operation, filters })
})

test('a goal that continues goes with the one before', () => {
  const wish = readWish(view('Find homes for sale in Porto', 'And for rent?'))
  expect(wish.topics).toEqual(new Set(['homes']))
  expect(readHomesWish(wish)).toMatchObject({ places: [{ name: 'Porto' }], operation: 'rent' })
  const sale = readHomesWish(readWish(view('Find homes to rent in Faro under 900', 'And for sale under 200k?')))
  expect(sale).toMatchObject({ places: [{ name: 'Faro' }], operation: 'sale', filters: { maxPrice: 200_000 } })
  expect(readWish(view('Find homes for sale in Porto', 'Draw an image of a fox')).topics).toEqual(new Set(['image']))
})
