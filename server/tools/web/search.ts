import { decodeHTML } from 'entities'

/** How old a page may be at most. */
type Freshness = 'day' | 'week' | 'month' | 'year'

/** What both search providers are asked. Codes are as given: two letters of either case. */
export type WebSearchQuery = {
  query: string
  country?: string
  language?: string
  location?: string
  /** From 1. */
  page?: number
  freshness?: Freshness
}

/** A page of results, and whether the provider has another. */
export type WebSearchPage = { rows: WebSearchRow[]; hasMore: boolean }

export type WebSearchRow = { title: string; url: string; snippet: string; content: '' }

/** How messages name whichever provider is set: callers need not know which. */
export const SEARCH_PROVIDER = 'The search provider'

const MARKUP = /<\/?(?:a|b|br|code|em|i|mark|p|small|span|strong|sub|sup|u|wbr)(?:\s[^<>]*)?\/?>/gi

/** Provider text as plain text: highlighting tags out, entities decoded, spaces single. */
export const plainText = (html: string | null | undefined): string =>
  decodeHTML((html ?? '').replace(MARKUP, ''))
    .replace(/\s+/g, ' ')
    .trim()

type Found = { title?: string | null; url: string; description?: string | null }

/** Rows of what a provider found, in its order; what is not a web page is left out. */
export const toSearchRows = (found: readonly Found[]): WebSearchRow[] =>
  found
    .filter(({ url }) => /^https?:\/\//i.test(url) && URL.canParse(url))
    .map(({ title, url, description }) => ({
      title: plainText(title) || url,
      url,
      snippet: plainText(description),
      content: '',
    }))
