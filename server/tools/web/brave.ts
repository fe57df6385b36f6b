import { z } from 'zod'
import { AppError } from '../../errors'
import type { ToolContext } from '../define'
import { callProvider, type ProviderResponse, parseProviderJson } from '../provider'
import { replyForLog, SEARCH_PROVIDER, toSearchRows, type WebSearchQuery, type WebSearchRow } from './search'
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

/** Without results the key `web` is missing altogether. */
const Answer = z.object({
  web: z
    .object({
      results: z
        .array(z.object({ title: z.string().nullish(), url: z.string(), description: z.string().nullish() }))
        .nullish(),
    })
    .nullish(),
})

/** GET /res/v1/web/search, https://api-dashboard.search.brave.com/app/documentation/web-search. Throws `upstream_error`. */
export async function searchBrave(context: ToolContext, asked: WebSearchQuery): Promise<WebSearchRow[]> {
  const { BRAVE_SEARCH_BASE_URL, BRAVE_SEARCH_API_KEY = '' } = webSettings()
  const { query, headers } = toBraveQuery(asked)
  const reply = await callProvider(context, {
    vendor: SEARCH_PROVIDER,
    url: `${BRAVE_SEARCH_BASE_URL}/res/v1/web/search?${new URLSearchParams(query)}`,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'x-subscription-token': BRAVE_SEARCH_API_KEY,
      ...headers,
    },
    retryAfterS,
  })
  if (reply.status !== 200) throw failure(reply)
  return toSearchRows(parseProviderJson(SEARCH_PROVIDER, reply.text, Answer).web?.results ?? [])
}

/** Codes Brave does not know are refused by it with 422, so what it cannot take as a filter goes as a hint or not at all. */
export function toBraveQuery({ query, country = '', language = '', location = '' }: WebSearchQuery) {
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

const Fault = z.object({
  code: z.string().nullish(),
  detail: z.string().nullish(),
  meta: z
    .object({
      errors: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })).nullish(),
    })
    .nullish(),
})
/** Live answers carry `error`, the reference shows a list `errors`. */
const Faults = z.union([
  z.object({ error: Fault }).transform(({ error }) => error),
  z.object({ errors: z.array(Fault).min(1) }).transform(({ errors }) => errors[0]),
])

function faultOf(reply: ProviderResponse): z.output<typeof Fault> {
  try {
    return Faults.parse(JSON.parse(reply.text)) ?? {}
  } catch {
    return {}
  }
}

/** Two windows stand in each rate-limit header: this second's, then this month's. */
function windows(reply: ProviderResponse, name: string): (number | undefined)[] {
  const text = [reply.headers[name] ?? ''].flat()[0] ?? ''
  return text.split(',').map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : undefined))
}

const isMonthUsedUp = (reply: ProviderResponse): boolean =>
  faultOf(reply).code === 'QUOTA_LIMITED' || windows(reply, 'x-ratelimit-remaining')[1] === 0

function retryAfterS(reply: ProviderResponse): number | null {
  if (reply.status !== 429) return 0.5
  return isMonthUsedUp(reply) ? null : (windows(reply, 'x-ratelimit-reset')[0] ?? 1)
}

const ACCESS_CODES = new Set([
  'SUBSCRIPTION_TOKEN_INVALID',
  'SUBSCRIPTION_NOT_FOUND',
  'RESOURCE_NOT_ALLOWED',
  'OPTION_NOT_IN_PLAN',
])

function failure(reply: ProviderResponse): AppError {
  const cause = replyForLog(reply)
  const say = (text: string, retryAfter?: number) => new AppError('upstream_error', text, { cause, retryAfter })
  const { code, meta } = faultOf(reply)
  const { status } = reply
  const wrong = (meta?.errors ?? []).map(({ loc, msg }) => ({ where: loc.map(String), msg }))

  if (status === 429 && isMonthUsedUp(reply))
    return say(`${SEARCH_PROVIDER}'s quota for this gateway is used up for this month.`)
  if (status === 429)
    return say(`${SEARCH_PROVIDER} limits how often this gateway may ask. Try again in a few seconds.`, 2)
  const noKey = wrong.some(({ where }) => where.includes('x-subscription-token'))
  if (noKey || ACCESS_CODES.has(code ?? '') || status === 401 || status === 403) {
    return say(`${SEARCH_PROVIDER} refused this gateway's access. Its operator has to check BRAVE_SEARCH_API_KEY.`)
  }
  if (wrong.length > 0) {
    const told = wrong.map(({ where, msg }) => `${ourName(where.at(-1) ?? '')}: ${msg}`).join('; ')
    return say(`${SEARCH_PROVIDER} refused the parameters: ${told.slice(0, 300)}`)
  }
  if (status >= 500) return say(`${SEARCH_PROVIDER} has a fault of its own (HTTP ${status}). Try again later.`)
  return say(`${SEARCH_PROVIDER} gave an unexpected answer (HTTP ${status}).`)
}

const OUR_NAMES: Record<string, string> = { q: 'query', search_lang: 'language' }
const ourName = (name: string): string => OUR_NAMES[name] ?? name
