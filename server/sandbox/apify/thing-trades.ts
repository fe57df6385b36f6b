import { sentenceCase } from '../prose/capitals'
import { outletOf } from '../prose/outlets'
import { sentencesAbout, titleAbout } from '../prose/text'
import { topicOf } from '../prose/topic'
import { drawFrom } from '../seed'
import { daysAgo, isoTime } from '../today'
import {
  ITEM_CITIES,
  ITEM_STREETS,
  itemDay,
  itemPage,
  itemScore,
  itemStars,
  itemText,
  lastName,
  personName,
  type Trade,
  toCents,
} from './item'

/** Actors that collect things, places and texts. */
export const THING_TRADES: readonly Trade[] = [
  {
    name: 'news',
    words: ['news', 'article', 'articles', 'headlines', 'press', 'magazine'],
    categories: ['NEWS', 'AI'],
    endings: ['news-scraper', 'headlines-monitor'],
    describe: (subject) => `Collects news about ${subject} with source, date and summary`,
    search: { field: 'searchQueries', title: 'Topics' },
    limit: 'maxItems',
    item: (asked) => {
      const topic = topicOf(asked.subject)
      return {
        title: titleAbout(topic, { seed: outletOf(asked.seed).host, kind: 'news' }),
        source: outletOf(asked.seed).name,
        author: personName(asked.seed),
        publishedAt: itemDay(asked.draw, 30),
        summary: itemText(asked),
        url: itemPage(asked, 'news'),
      }
    },
  },
  {
    name: 'homes',
    words: [
      'property',
      'properties',
      'estate',
      'apartments',
      'apartment',
      'zillow',
      'rent',
      'rental',
      'rentals',
      'housing',
      'airbnb',
      'listings',
      'homes',
    ],
    categories: ['REAL_ESTATE', 'TRAVEL'],
    endings: ['listings-scraper', 'property-api'],
    describe: (subject) => `Collects listings of ${subject} with price, size and address`,
    search: { field: 'searchQueries', title: 'What to look for' },
    limit: 'maxItems',
    place: 'location',
    item: ({ draw, ...asked }) => {
      const size = draw.int('size', 28, 190)
      return {
        title: `${draw.pick('kind', ['Bright', 'Renovated', 'Quiet', 'Central'])} ${asked.subject}, ${size} m²`,
        city: asked.place || draw.pick('city', ITEM_CITIES),
        address: `${draw.pick('street', ITEM_STREETS)} ${draw.int('number', 1, 120)}`,
        price: Math.round(size * (1800 + draw.chance('price') * 4200)),
        currency: 'EUR',
        size,
        bedrooms: Math.max(0, Math.round(size / 34) - 1),
        postedAt: itemDay(draw, 60),
        url: itemPage(asked, 'reference'),
      }
    },
  },
  {
    name: 'places',
    words: [
      'maps',
      'map',
      'places',
      'place',
      'restaurants',
      'restaurant',
      'cafes',
      'cafés',
      'cafe',
      'hotels',
      'hotel',
      'shops',
      'bars',
      'gyms',
      'dentists',
      'museums',
      'booking',
      'local',
      'businesses',
      'lighthouses',
    ],
    categories: ['TRAVEL', 'LEAD_GENERATION'],
    endings: ['places-scraper', 'maps-extractor'],
    describe: (subject) => `Finds ${subject} on maps with address, phone, rating and opening hours`,
    search: { field: 'searchStringsArray', title: 'What to find' },
    limit: 'maxCrawledPlaces',
    place: 'locationQuery',
    item: ({ draw, ...asked }) => {
      const title = `${lastName(asked.seed)} ${sentenceCase(asked.subject)}`
      return {
        title,
        categoryName: sentenceCase(asked.subject),
        address: `${draw.pick('street', ITEM_STREETS)} ${draw.int('number', 1, 120)}`,
        city: asked.place || draw.pick('city', ITEM_CITIES),
        phone: `+00 555 ${draw.int('phone', 1000, 9999)}`,
        totalScore: itemStars(draw),
        reviewsCount: 3 + itemScore(draw, 4_000),
        priceLevel: draw.pick('level', ['€', '€€', '€€', '€€€']),
        openingHours: draw.pick('hours', ['9:00–18:00', '8:00–20:00', '10:00–22:00', '12:00–23:30']),
        permanentlyClosed: draw.chance('closed') < 0.04,
        url: itemPage(asked, 'reference', title),
      }
    },
  },
  {
    name: 'products',
    words: [
      'amazon',
      'ebay',
      'etsy',
      'shopify',
      'aliexpress',
      'walmart',
      'product',
      'products',
      'price',
      'prices',
      'shop',
      'store',
      'ecommerce',
      'laptops',
      'shoes',
      'phones',
      'toys',
      'books',
    ],
    categories: ['ECOMMERCE'],
    endings: ['product-scraper', 'price-monitor', 'shop-api'],
    describe: (subject) => `Collects products for ${subject} with price, rating and stock`,
    search: { field: 'searchQueries', title: 'Words to search for' },
    limit: 'maxItems',
    item: ({ draw, ...asked }) => {
      const title = `${lastName(asked.seed)} ${sentenceCase(asked.subject)} ${draw.pick('model', ['One', 'Pro', 'Plus', 'Mini', 'Classic', 'Eco'])} ${draw.int('number', 2, 90)}`
      const base = 8 + drawFrom(`price of ${asked.subject.toLowerCase()}`).chance('base') ** 3 * 900
      return {
        title,
        price: toCents(base * (0.6 + draw.chance('price') * 0.9)),
        currency: 'EUR',
        stars: itemStars(draw),
        reviewsCount: itemScore(draw, 9_000),
        inStock: draw.chance('stock') < 0.88,
        seller: `${lastName(`${asked.seed} seller`)} Trading`,
        url: itemPage(asked, 'review', title),
      }
    },
  },
  {
    name: 'pages',
    words: [
      'website',
      'websites',
      'web',
      'content',
      'crawler',
      'crawl',
      'rag',
      'llm',
      'ai',
      'pages',
      'markdown',
      'text',
      'documents',
      'google',
      'search',
      'results',
    ],
    categories: ['AI', 'DEVELOPER_TOOLS', 'SEO_TOOLS'],
    endings: ['content-crawler', 'search-results-scraper', 'data-extractor'],
    describe: (subject) => `Reads pages about ${subject} and returns their text`,
    search: { field: 'searchQueries', title: 'Words to search for' },
    limit: 'maxPages',
    item: (asked) => {
      const text = sentencesAbout(topicOf(asked.subject), { seed: asked.seed, count: 6 }).join(' ')
      return {
        url: itemPage(asked, 'guide'),
        title: titleAbout(topicOf(asked.subject), { seed: outletOf(asked.seed).host, kind: 'guide' }),
        text,
        wordCount: text.split(' ').length,
        language: 'en',
        loadedAt: isoTime(daysAgo(0)),
      }
    },
  },
]
