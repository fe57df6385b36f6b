/**
 * The `filter:` words of x.com and their v2 operators:
 * https://docs.x.com/x-api/posts/search/integrate/operators
 */
const FILTERS: Record<string, string> = {
  links: 'has:links',
  media: 'has:media',
  images: 'has:images',
  twimg: 'has:images',
  videos: 'has:videos',
  native_video: 'has:videos',
  hashtags: 'has:hashtags',
  mentions: 'has:mentions',
  replies: 'is:reply',
  retweets: 'is:retweet',
  nativeretweets: 'is:retweet',
  quote: 'is:quote',
  verified: 'is:verified',
  blue_verified: 'is:verified',
}

/** Quoted phrases match first, so that nothing in them is replaced. */
const PATTERN = /"[^"]*"|(?<![\w:-])(-?)(filter|exclude):(\w+)/gi

/** Words after `filter:` or `exclude:` without an operator in v2. */
export const unknownFilters = (query: string): string[] =>
  [...query.matchAll(PATTERN)].flatMap(([, , , word]) =>
    word !== undefined && !Object.hasOwn(FILTERS, word.toLowerCase()) ? [word] : [],
  )

export const KNOWN_FILTERS = Object.keys(FILTERS).join(', ')

/**
 * A query with v2 operators: `filter:links` → `has:links`; `-filter:replies`, `exclude:replies` →
 * `-is:reply`.
 */
export const toSearchOperators = (query: string): string =>
  query.replace(PATTERN, (whole, minus: string | undefined, verb: string | undefined, word: string | undefined) => {
    const operator = FILTERS[word?.toLowerCase() ?? '']
    if (operator === undefined) return whole
    const isNegative = (minus === '-') !== (verb?.toLowerCase() === 'exclude')
    return isNegative ? `-${operator}` : operator
  })
