import { z } from 'zod'
import { AppError } from '../../errors'
import { callProvider, type ProviderContext, type ProviderResponse, parseProviderJson } from '../provider'
import { providerError, responseForLog } from '../provider-errors'
import { SEARCH_PROVIDER, toSearchRows, type WebSearchPage, type WebSearchQuery } from './search'
import { webSettings } from './settings'

/** SearXNG has no page size: what it sends beyond this is cut. */
const MAX_ROWS = 20

const Answer = z.object({
  results: z.array(z.object({ title: z.string().nullish(), url: z.string().nullish(), content: z.string().nullish() })),
  /** Pairs of engine name and reason; the reason is in the instance's language. */
  unresponsive_engines: z.array(z.tuple([z.string()], z.unknown())).nullish(),
})

/**
 * GET /search?format=json, https://docs.searxng.org/dev/search_api.html. Throws `upstream_error`.
 */
export async function searchSearxng(context: ProviderContext, asked: WebSearchQuery): Promise<WebSearchPage> {
  const language = searxngLocale(asked)
  const q = [asked.query, asked.location ?? ''].join(' ').trim()
  const query = new URLSearchParams({
    q,
    format: 'json',
    categories: 'general',
    language,
    pageno: String(asked.page ?? 1),
    safesearch: '0',
    ...(asked.freshness && { time_range: asked.freshness }),
  })
  const response = await callProvider(context, {
    provider: SEARCH_PROVIDER,
    url: `${webSettings().SEARXNG_URL}/search?${query}`,
    // The limiter turns away whoever lacks what a browser sends.
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate',
      'accept-language': language === 'all' ? 'en' : language,
      'user-agent': 'Mozilla/5.0 (compatible; Tollgate)',
    },
  })
  if (response.status !== 200) throw searxngError(response)
  const { results, unresponsive_engines: silent } = parseProviderJson(SEARCH_PROVIDER, response.text, Answer)
  if (results.length === 0 && silent && silent.length > 0) {
    const names = silent
      .map(([name]) => name)
      .slice(0, 8)
      .join(', ')
    throw new AppError(
      'upstream_error',
      `${SEARCH_PROVIDER} found nothing because its engines failed (${names}). Try again later.`,
      {
        cause: responseForLog(response),
      },
    )
  }
  const found = results.map(({ title, url, content }) => ({ title, url: url ?? '', description: content }))
  // It does not say whether there are more: an empty page is the last.
  return { rows: toSearchRows(found).slice(0, MAX_ROWS), hasMore: found.length > 0 }
}

/** Country is part of the language (`de-AT`); for a country alone its main language is taken. */
export function searxngLocale({ country, language }: WebSearchQuery): string {
  if (!country) return language?.toLowerCase() ?? 'all'
  const region = country.toUpperCase() === 'UK' ? 'GB' : country.toUpperCase()
  return `${language?.toLowerCase() ?? new Intl.Locale('und', { region }).maximize().language}-${region}`
}

function searxngError(response: ProviderResponse): AppError {
  const { status } = response
  const isRedirect = status >= 300 && status < 400
  return providerError(SEARCH_PROVIDER, response, {
    failure: isRedirect ? 'parameters' : undefined,
    message: messageFor(status),
  })
}

function messageFor(status: number): string | undefined {
  if (status >= 300 && status < 400) {
    return `${SEARCH_PROVIDER} responded with a redirect, for which a query that begins with !! asks. Omit the marks.`
  }
  if (status === 403) {
    return `${SEARCH_PROVIDER} refuses JSON. Its operator has to add json to search.formats in the settings of SearXNG.`
  }
  if (status === 400) return `${SEARCH_PROVIDER} rejected the query.`
  if (status === 429 || status >= 500) return undefined
  return `${SEARCH_PROVIDER} returned an unexpected response (HTTP ${status}). Its operator has to check SEARXNG_URL.`
}
