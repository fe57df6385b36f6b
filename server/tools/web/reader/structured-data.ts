import { isRecord } from '../../../kit/record'
import { lineOf } from './document'

type Thing = Record<string, unknown>

/** One line of a thing: a label, and where in its JSON-LD the value is. */
type Line = [label: string, ...paths: string[]]

const PRICE_LINES: Line[] = [
  ['Price', 'offers.price', 'offers.lowPrice', 'offers.priceSpecification.price', 'price'],
  ['Highest price', 'offers.highPrice'],
  ['Availability', 'offers.availability', 'availability'],
]
const PLACE = [
  'name',
  'address',
  'address.streetAddress',
  'address.addressLocality',
  'address.addressRegion',
  'address.addressCountry',
]
const placeIn = (path: string): string[] => [path, ...PLACE.map((part) => `${path}.${part}`)]

/** What is said of each kind of thing. A value in more than one place is joined. */
const LINES: Record<string, Line[]> = {
  Product: [
    ['Brand', 'brand.name', 'brand'],
    ...PRICE_LINES,
    ['Condition', 'offers.itemCondition'],
    ['SKU', 'sku'],
    ['GTIN', 'gtin13', 'gtin'],
    ['Rating', 'aggregateRating.ratingValue'],
    ['Reviews', 'aggregateRating.reviewCount', 'aggregateRating.ratingCount'],
    ['Description', 'description'],
  ],
  Offer: [...PRICE_LINES, ['Valid until', 'priceValidUntil'], ['Description', 'description']],
  Event: [
    ['Starts', 'startDate'],
    ['Ends', 'endDate'],
    ['Place', ...placeIn('location')],
    ['Status', 'eventStatus'],
    ['Performer', 'performer.name'],
    ['Organizer', 'organizer.name'],
    ...PRICE_LINES,
    ['Description', 'description'],
  ],
  JobPosting: [
    ['Company', 'hiringOrganization.name', 'hiringOrganization'],
    ['Place', ...placeIn('jobLocation')],
    ['Remote', 'jobLocationType'],
    ['Employment', 'employmentType'],
    ['Salary', 'baseSalary.value.minValue', 'baseSalary.value.maxValue', 'baseSalary.value.value', 'baseSalary.value'],
    ['Per', 'baseSalary.value.unitText'],
    ['Posted', 'datePosted'],
    ['Valid until', 'validThrough'],
    ['Description', 'description'],
  ],
  Recipe: [
    ['Serves', 'recipeYield'],
    ['Preparation', 'prepTime'],
    ['Cooking', 'cookTime'],
    ['Total time', 'totalTime'],
    ['Energy', 'nutrition.calories'],
    ['Ingredients', 'recipeIngredient'],
    ['Instructions', 'recipeInstructions', 'recipeInstructions.text', 'recipeInstructions.itemListElement.text'],
  ],
}
const SAME: Record<string, string> = {
  AggregateOffer: 'Offer',
  ProductGroup: 'Product',
  IndividualProduct: 'Product',
  Vehicle: 'Product',
  Car: 'Product',
  SoftwareApplication: 'Product',
  Book: 'Product',
}

const MAX_THINGS = 60
const MAX_VALUE_CHARS = 2_000
const MAX_DEPTH = 6

/**
 * What a page's JSON-LD says of products, offers, events, jobs, recipes and questions, as Markdown.
 * Longer texts that `shown` has already are left out; names, prices and dates are always there.
 */
export function structuredData(document: Document, shown: string): string {
  const things: Thing[] = []
  for (const script of document.querySelectorAll('script[type*="ld+json"]'))
    collect(parse(script.textContent ?? ''), things, 0)
  const known = comparable(shown)
  const parts = things
    .slice(0, MAX_THINGS)
    .map((thing) => describe(thing, known))
    .filter(Boolean)
  return parts.length === 0 ? '' : ['## Structured data of the page', ...new Set(parts)].join('\n\n')
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json.replace(/^\s*(?:<!--|\/\*<!\[CDATA\[\*\/)|(?:-->|\/\*\]\]>\*\/)\s*$/g, ''))
  } catch {
    return null
  }
}

const kindOf = (thing: Thing): string | undefined => {
  const types = [thing['@type']].flat().map((type) => String(type).replace(/^https?:\/\/schema\.org\//, ''))
  const named = types.map((type) => SAME[type] ?? (/Event$|Festival$/.test(type) ? 'Event' : type))
  return named.find((type) => Object.hasOwn(LINES, type) || type === 'Question')
}

/** The things of a document, wherever they are nested; the offer of a product belongs to it. */
function collect(value: unknown, things: Thing[], depth: number): void {
  if (depth > MAX_DEPTH || things.length >= MAX_THINGS) return
  if (Array.isArray(value)) for (const each of value.slice(0, 500)) collect(each, things, depth + 1)
  if (!isRecord(value)) return
  if (kindOf(value) !== undefined) things.push(value)
  else for (const each of Object.values(value)) collect(each, things, depth + 1)
}

function describe(thing: Thing, known: string): string {
  const kind = kindOf(thing) ?? ''
  const name = valueAt(thing, 'name') || valueAt(thing, 'title')
  if (kind === 'Question') {
    const answer = valueAt(thing, 'acceptedAnswer.text') || valueAt(thing, 'suggestedAnswer.text')
    return answer === '' || known.includes(comparable(answer)) ? '' : `**${name}**\n\n${answer}`
  }
  const lines = (LINES[kind] ?? []).flatMap(([label, ...paths]) => {
    const value = [...new Set(paths.map((path) => valueAt(thing, path)).filter(Boolean))].join(
      label === 'Salary' ? ' to ' : ', ',
    )
    const isLong = value.length > 80
    if (value === '' || (isLong && known.includes(comparable(value)))) return []
    return [`- ${label}: ${withCurrency(label, value, thing)}`]
  })
  if (lines.length === 0) return ''
  return [`**${kind}${name ? `: ${name}` : ''}**`, lines.join('\n')].join('\n\n')
}

const CURRENCY_AT = [
  'offers.priceCurrency',
  'offers.priceSpecification.priceCurrency',
  'priceCurrency',
  'baseSalary.currency',
]

function withCurrency(label: string, value: string, thing: Thing): string {
  if (!/price|salary/i.test(label)) return value
  const currency = CURRENCY_AT.map((path) => valueAt(thing, path).split(', ')[0]).find(Boolean)
  return currency && !value.includes(currency) ? `${value} ${currency}` : value
}

/** The texts at a path, lists looked through, as a reader says them. */
function valueAt(thing: Thing, path: string): string {
  let found: unknown[] = [thing]
  for (const key of path.split('.')) {
    found = found.flatMap((each) =>
      isRecord(each) && Object.hasOwn(each, key) ? [each[key]].flat().slice(0, 100) : [],
    )
  }
  const texts = found
    .filter((each) => typeof each === 'string' || typeof each === 'number')
    .map((each) => readable(String(each)))
  return [...new Set(texts)].filter(Boolean).join(', ').slice(0, MAX_VALUE_CHARS)
}

function readable(text: string): string {
  const term =
    /^https?:\/\/schema\.org\/(\w+)$/.exec(text)?.[1] ??
    (/^[A-Z][a-z]+(?:[A-Z][a-z]+)+$/.test(text) && /Stock|Order|Condition|Event|Only|Sale|Out/.test(text)
      ? text
      : undefined)
  if (term) return capitalized(term.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/^Event /, ''))
  const time = /^P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:\d+S)?$/.exec(text)
  if (time && text.length > 2)
    return [
      ['d', time[1]],
      ['h', time[2]],
      ['min', time[3]],
    ]
      .flatMap(([unit, n]) => (Number(n) ? [`${n} ${unit}`] : []))
      .join(' ')
  return lineOf(text.slice(0, MAX_VALUE_CHARS * 4).replace(/<[^>]{0,300}>/g, ' '))
}

const capitalized = (term: string): string => term.charAt(0).toUpperCase() + term.slice(1).toLowerCase()

const comparable = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
