import { z } from 'zod'
import type { AppError } from '../../errors'
import { callProvider, headerOf, type ProviderContext, type ProviderResponse, parseProviderJson } from '../provider'
import { type ProviderErrorOverrides, providerError, readErrorBody } from '../provider-errors'
import { SEARCH_PROVIDER, toSearchRows, type WebSearchPage, type WebSearchQuery } from './search'
import { webSettings } from './settings'

const COUNTRIES = new Set(
  'AR AU AT BE BR CA CL DK FI FR DE GR HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US'.split(
    ' ',
  ),
)
const LANGUAGES = new Set(
  'ar bg bn ca cs da de el en es et eu fi fr gl gu he hi hr hu is it jp kn ko lt lv ml mr ms nb nl pa pl ro ru sk sl sr sv ta te th tr uk vi'.split(
    ' ',
  ),
)

/** Brave's own spelling where it differs from ISO 639. */
const OWN_LANGUAGES: Record<string, (country: string) => string> = {
  ja: () => 'jp',
  no: () => 'nb',
  nn: () => 'nb',
  iw: () => 'he',
  pt: (country) => (country === 'BR' ? 'pt-br' : 'pt-pt'),
  zh: (country) => (['TW', 'HK', 'MO'].includes(country) ? 'zh-hant' : 'zh-hans'),
}

const FRESHNESS = { day: 'pd', week: 'pw', month: 'pm', year: 'py' } as const

/** Pages that can be asked for: `offset` is 0 to 9. */
const MAX_PAGE = 10

/** Without results the key `web` is missing altogether. */
const Answer = z.object({
  query: z.object({ more_results_available: z.boolean().nullish() }).nullish(),
  web: z
    .object({
      results: z
        .array(z.object({ title: z.string().nullish(), url: z.string(), description: z.string().nullish() }))
        .nullish(),
    })
    .nullish(),
})

/** GET /res/v1/web/search, https://api-dashboard.search.brave.com/app/documentation/web-search. Throws `upstream_error`. */
export async function searchBrave(context: ProviderContext, asked: WebSearchQuery): Promise<WebSearchPage> {
  const { BRAVE_SEARCH_BASE_URL, BRAVE_SEARCH_API_KEY = '' } = webSettings()
  const { query, headers } = toBraveQuery(asked)
  const response = await callProvider(context, {
    provider: SEARCH_PROVIDER,
    url: `${BRAVE_SEARCH_BASE_URL}/res/v1/web/search?${new URLSearchParams(query)}`,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'x-subscription-token': BRAVE_SEARCH_API_KEY,
      ...headers,
    },
    retryDelayS,
  })
  if (response.status !== 200) throw braveError(response)
  const { web, query: about } = parseProviderJson(SEARCH_PROVIDER, response.text, Answer)
  const rows = toSearchRows(web?.results ?? [])
  const hasMore = about?.more_results_available === true && rows.length > 0 && (asked.page ?? 1) < MAX_PAGE
  return { rows, hasMore }
}

/**
 * Codes Brave does not know are refused by it with 422, so what it cannot take as a filter goes as
 * a hint or not at all.
 */
export function toBraveQuery(asked: WebSearchQuery) {
  const { query, country = '', language = '', location = '', page = 1, freshness } = asked
  const iso = country.toUpperCase() === 'UK' ? 'GB' : country.toUpperCase()
  const code = language.toLowerCase()
  const own = OWN_LANGUAGES[code]?.(iso) ?? (LANGUAGES.has(code) ? code : undefined)
  const [city = '', state = ''] = location.split(',').map((part) => part.trim())
  return {
    query: {
      q: query,
      count: '20',
      result_filter: 'web',
      text_decorations: 'false',
      ...(page > 1 && { offset: String(page - 1) }),
      ...(freshness && { freshness: FRESHNESS[freshness] }),
      ...(COUNTRIES.has(iso) && { country: iso }),
      ...(own && { search_lang: own }),
    },
    headers: {
      ...(iso !== '' && { 'x-loc-country': iso }),
      ...(city !== '' && { 'x-loc-city': headerText(city) }),
      ...(state !== '' && { 'x-loc-state-name': headerText(state) }),
    },
  }
}

/** A header carries bytes: UTF-8, written as the Latin-1 that Node sends. */
const headerText = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

const BraveError = z.object({
  code: z.string().nullish(),
  detail: z.string().nullish(),
  meta: z
    .object({
      errors: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })).nullish(),
    })
    .nullish(),
})
/** Responses hold `error`; the reference shows a list `errors`. */
const ErrorBody = z.union([
  z.object({ error: BraveError }).transform(({ error }) => error),
  z.object({ errors: z.array(BraveError).min(1) }).transform(({ errors }) => errors[0]),
])

/** Each rate-limit header has two windows: this second's, then this month's. */
const windowsOf = (response: ProviderResponse, name: string): (number | undefined)[] =>
  headerOf(response, name)
    .split(',')
    .map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : undefined))

const isQuotaExhausted = (response: ProviderResponse): boolean =>
  readErrorBody(response, ErrorBody)?.code === 'QUOTA_LIMITED' || windowsOf(response, 'x-ratelimit-remaining')[1] === 0

function retryDelayS(response: ProviderResponse): number | null {
  if (response.status !== 429) return 0.5
  return isQuotaExhausted(response) ? null : (windowsOf(response, 'x-ratelimit-reset')[0] ?? 1)
}

const ACCESS_CODES = new Set([
  'SUBSCRIPTION_TOKEN_INVALID',
  'SUBSCRIPTION_NOT_FOUND',
  'RESOURCE_NOT_ALLOWED',
  'OPTION_NOT_IN_PLAN',
])

function braveError(response: ProviderResponse): AppError {
  const { code, meta } = readErrorBody(response, ErrorBody) ?? {}
  const { status } = response
  const error = (overrides: ProviderErrorOverrides) => providerError(SEARCH_PROVIDER, response, overrides)
  const wrong = (meta?.errors ?? []).map(({ loc, msg }) => ({ where: loc.map(String), msg }))
  if (status === 429 && isQuotaExhausted(response)) {
    return error({
      failure: 'quota',
      message: `${SEARCH_PROVIDER} has no quota left for this gateway this month.`,
      retryAfterS: null,
    })
  }
  if (status === 429) return error({ retryAfterS: RATE_LIMIT_WAIT_S })
  const isKeyMissing = wrong.some(({ where }) => where.includes('x-subscription-token'))
  if (isKeyMissing || ACCESS_CODES.has(code ?? '') || status === 401 || status === 403) {
    return error({
      failure: 'access',
      message: `${SEARCH_PROVIDER} denied access to this gateway. Its operator has to check BRAVE_SEARCH_API_KEY.`,
    })
  }
  if (wrong.length > 0) {
    const words = wrong.map(({ where, msg }) => `${gatewayName(where.at(-1) ?? '')}: ${msg}`).join('; ')
    return error({
      failure: 'parameters',
      message: `${SEARCH_PROVIDER} rejected the parameters: ${words.slice(0, 300)}`,
    })
  }
  return error({})
}

/** The limit is one per second. */
const RATE_LIMIT_WAIT_S = 2

const GATEWAY_NAMES: Record<string, string> = { q: 'query', search_lang: 'language', offset: 'page' }
const gatewayName = (name: string): string => GATEWAY_NAMES[name] ?? name
