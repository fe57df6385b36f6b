import { z } from 'zod'
import type { AppError } from '../../errors'
import {
  callProvider,
  defaultRetryDelayS,
  headerOf,
  type ProviderContext,
  type ProviderResponse,
  parseProviderJson,
} from '../provider'
import { type ProviderErrorOverrides, providerError, readErrorBody } from '../provider-errors'
import { propertySettings } from './settings'

/**
 * The idealista v7 API at RapidAPI: https://rapidapi.com/scraperium/api/idealista7. RapidAPI's own
 * responses and headers: https://docs.rapidapi.com/docs/response-headers and
 * https://docs.rapidapi.com/docs/keys.
 */
export const PROPERTY_PROVIDER = 'The real-estate data provider'

/** RapidAPI finds the API by this header, whatever the address of the request. */
const RAPIDAPI_HOST = 'idealista7.p.rapidapi.com'

/**
 * An error, whatever its HTTP status, and also a removed advertisement: `{message, httpStatus, …}`.
 */
const ErrorBody = z.object({
  message: z.string().optional(),
  messages: z.string().optional(),
  httpStatus: z.number().optional(),
})

export const isPropertyConfigured = (): boolean => Boolean(propertySettings().RAPIDAPI_KEY)

type PropertyRequest = {
  /** Such as `listhomes`. */
  path: string
  query: Record<string, string>
  /** What a 404 means here, as a sentence for the caller. */
  missing: string
}

/** A response with the status that its body gives: behind RapidAPI an error may have status 200. */
type RealResponse = ProviderResponse & { httpStatus: number; bodyStatus: number | undefined; message: string }

/** Returns a response's JSON, parsed by `shape`. Throws `upstream_error`. */
export async function fetchProperty<T extends z.ZodType>(
  context: ProviderContext,
  request: PropertyRequest,
  shape: T,
): Promise<z.output<T>> {
  const response = await send(context, request)
  if (response.status !== 200) throw propertyError(response, request.missing)
  return parseProviderJson(PROPERTY_PROVIDER, response.text, shape)
}

/** The same, where the body of a 404 from the API itself is a result too. */
export async function fetchPropertyOrGone<T extends z.ZodType>(
  context: ProviderContext,
  request: PropertyRequest,
  shape: T,
): Promise<z.output<T>> {
  const response = await send(context, request)
  const isGone = response.status === 404 && response.bodyStatus === 404
  if (response.status !== 200 && !isGone) throw propertyError(response, request.missing)
  return parseProviderJson(PROPERTY_PROVIDER, response.text, shape)
}

async function send(context: ProviderContext, { path, query }: PropertyRequest): Promise<RealResponse> {
  const { IDEALISTA_BASE_URL, RAPIDAPI_KEY = '' } = propertySettings()
  const response = await callProvider(context, {
    provider: PROPERTY_PROVIDER,
    url: `${IDEALISTA_BASE_URL}/${path}?${new URLSearchParams(query)}`,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'x-rapidapi-key': RAPIDAPI_KEY,
      'x-rapidapi-host': RAPIDAPI_HOST,
    },
    retryDelayS: (failed) => (isQuotaExhausted(failed) ? null : defaultRetryDelayS(failed)),
  })
  const body = readErrorBody(response, ErrorBody)
  const message = body?.message ?? body?.messages ?? ''
  // A message without a status is an error whose status was lost on its way through RapidAPI.
  const status = response.status === 200 ? (body?.httpStatus ?? (message === '' ? 200 : 502)) : response.status
  return { ...response, status, httpStatus: response.status, bodyStatus: body?.httpStatus, message }
}

/** The month's quota and the limit per second share status 429; only the text tells them apart. */
const isQuotaExhausted = ({ status, text }: ProviderResponse): boolean =>
  status === 429 && /monthly|daily|quota/i.test(text)

/** The error for a response other than 200. */
function propertyError(response: RealResponse, missing: string): AppError {
  const { status, httpStatus, message } = response
  const error = (overrides: ProviderErrorOverrides) => providerError(PROPERTY_PROVIDER, response, overrides)
  if (httpStatus === 429 && isQuotaExhausted(response)) {
    const used = `${PROPERTY_PROVIDER} has no requests left for this gateway until its quota is renewed.`
    return error({ failure: 'quota', message: used, retryAfterS: secondsToReset(response) })
  }
  if (status === 429) return error({ retryAfterS: RATE_LIMIT_WAIT_S })
  if (/^Endpoint /.test(message)) return error({ failure: 'access' })
  if (status === 403 && httpStatus !== 403) {
    return error({ failure: 'outage', message: `${PROPERTY_PROVIDER} was refused by its own source. Try again later.` })
  }
  if (status === 404) return error({ failure: 'missing', message: missing })
  if (status === 400 || status === 422) {
    return error({ message: `${PROPERTY_PROVIDER} rejected the parameters. ${missing}` })
  }
  return error({})
}

/** The limit is one per second. */
const RATE_LIMIT_WAIT_S = 5

/** Seconds until the quota is renewed, at most a day. */
function secondsToReset(response: ProviderResponse): number {
  const seconds = Number(headerOf(response, 'x-ratelimit-requests-reset') || Number.NaN)
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.ceil(seconds), 86_400) : 3_600
}
