import { z } from 'zod'
import { AppError } from '../../errors'
import type { ToolContext } from '../define'
import { callProvider, type ProviderResponse, parseProviderJson } from '../provider'
import { replyForLog, SEARCH_PROVIDER, toSearchRows, type WebSearchQuery, type WebSearchRow } from './search'
import { webSettings } from './settings'

/** SearXNG has no page size: what it sends beyond this is cut. */
const MAX_ROWS = 20

const Answer = z.object({
  results: z.array(z.object({ title: z.string().nullish(), url: z.string().nullish(), content: z.string().nullish() })),
  /** Pairs of engine name and reason; the reason is in the instance's language. */
  unresponsive_engines: z.array(z.tuple([z.string()], z.unknown())).nullish(),
})

/** GET /search?format=json, https://docs.searxng.org/dev/search_api.html. Throws `upstream_error`. */
export async function searchSearxng(context: ToolContext, asked: WebSearchQuery): Promise<WebSearchRow[]> {
  const language = searxngLocale(asked)
  const q = [asked.query, asked.location ?? ''].join(' ').trim()
  const query = new URLSearchParams({
    q,
    format: 'json',
    categories: 'general',
    language,
    pageno: '1',
    safesearch: '0',
  })
  const reply = await callProvider(context, {
    vendor: SEARCH_PROVIDER,
    url: `${webSettings().SEARXNG_URL}/search?${query}`,
    // The limiter turns away whoever lacks what a browser sends.
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate',
      'accept-language': language === 'all' ? 'en' : language,
      'user-agent': 'Mozilla/5.0 (compatible; Tollgate)',
    },
  })
  if (reply.status !== 200) throw failure(reply)
  const { results, unresponsive_engines: silent } = parseProviderJson(SEARCH_PROVIDER, reply.text, Answer)
  if (results.length === 0 && silent && silent.length > 0) {
    const names = silent
      .map(([name]) => name)
      .slice(0, 8)
      .join(', ')
    throw new AppError(
      'upstream_error',
      `${SEARCH_PROVIDER} found nothing because its engines failed (${names}). Try again later.`,
      {
        cause: replyForLog(reply),
      },
    )
  }
  const found = results.map(({ title, url, content }) => ({ title, url: url ?? '', description: content }))
  return toSearchRows(found).slice(0, MAX_ROWS)
}

/** Country is part of the language (`de-AT`); for a country alone its main language is taken. */
export function searxngLocale({ country, language }: WebSearchQuery): string {
  if (!country) return language?.toLowerCase() ?? 'all'
  const region = country.toUpperCase() === 'UK' ? 'GB' : country.toUpperCase()
  return `${language?.toLowerCase() ?? new Intl.Locale('und', { region }).maximize().language}-${region}`
}

function failure(reply: ProviderResponse): AppError {
  const cause = replyForLog(reply)
  const say = (text: string, retryAfter?: number) => new AppError('upstream_error', text, { cause, retryAfter })
  const { status } = reply
  if (status >= 300 && status < 400) {
    return say(
      `${SEARCH_PROVIDER} answered with a redirect. A query that begins with !! asks for one: leave the marks out.`,
    )
  }
  if (status === 403) {
    return say(
      `${SEARCH_PROVIDER} refuses JSON. Its operator has to add json to search.formats in the settings of SearXNG.`,
    )
  }
  if (status === 429) return say(`${SEARCH_PROVIDER} limits how often this gateway may ask. Try again in a minute.`, 60)
  if (status === 400) return say(`${SEARCH_PROVIDER} refused the query.`)
  if (status >= 500) return say(`${SEARCH_PROVIDER} has a fault of its own (HTTP ${status}). Try again later.`)
  return say(`${SEARCH_PROVIDER} gave an unexpected answer (HTTP ${status}). Its operator has to check SEARXNG_URL.`)
}
