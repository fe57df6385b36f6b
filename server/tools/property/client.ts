import { z } from 'zod'
import { AppError } from '../../errors'
import type { ToolContext } from '../define'
import { callProvider, type ProviderResponse, parseProviderJson } from '../provider'
import { propertySettings } from './settings'

/**
 * The idealista v7 API at RapidAPI: https://rapidapi.com/scraperium/api/idealista7. The gateway's own answers and
 * headers: https://docs.rapidapi.com/docs/response-headers and https://docs.rapidapi.com/docs/keys.
 */
export const PROPERTY_PROVIDER = 'The real-estate data provider'

/** The gateway finds the API by this header, whatever address the request goes to. */
const HOST = 'idealista7.p.rapidapi.com'

/** An answer that is an error in spite of its status, also a removed advertisement: `{message, httpStatus, …}`. */
const Refusal = z.object({
  message: z.string().optional(),
  messages: z.string().optional(),
  httpStatus: z.number().optional(),
})

type Asked = {
  /** Such as `listhomes`. */
  path: string
  query: Record<string, string>
  /** What a 404 means here, as a sentence for the caller. */
  missing: string
}

/**
 * One call, its JSON checked against `shape`. Throws `upstream_error`: out of reach, out of quota, refused, or a body of
 * another form.
 */
export async function fetchProperty<T extends z.ZodType>(
  context: ToolContext,
  asked: Asked,
  shape: T,
): Promise<z.output<T>> {
  const reply = await get(context, asked)
  const said = readRefusal(reply.text)
  const status = statusOf(reply, said)
  if (status !== 200) throw failure(status, said.text, reply, asked.missing)
  return parseProviderJson(PROPERTY_PROVIDER, reply.text, shape)
}

/** One call, answered whatever the vendor says of the thing asked for: with 404 the body counts too. */
export async function fetchPropertyOrGone<T extends z.ZodType>(
  context: ToolContext,
  asked: Asked,
  shape: T,
): Promise<z.output<T>> {
  const reply = await get(context, asked)
  const said = readRefusal(reply.text)
  const status = statusOf(reply, said)
  const isGone = status === 404 && said.httpStatus === 404
  if (status !== 200 && !isGone) throw failure(status, said.text, reply, asked.missing)
  return parseProviderJson(PROPERTY_PROVIDER, reply.text, shape)
}

async function get(context: ToolContext, { path, query }: Asked): Promise<ProviderResponse> {
  const { IDEALISTA_BASE_URL, RAPIDAPI_KEY = '' } = propertySettings()
  return callProvider(context, {
    vendor: PROPERTY_PROVIDER,
    url: `${IDEALISTA_BASE_URL}/${path}?${new URLSearchParams(query)}`,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'x-rapidapi-key': RAPIDAPI_KEY,
      'x-rapidapi-host': HOST,
    },
    retryAfterS: (reply) => (isQuota(reply) ? null : waitOf(reply)),
  })
}

/** The month's quota and the limit per second share status 429; only the text tells them apart. */
const isQuota = ({ status, text }: ProviderResponse): boolean => status === 429 && /monthly|daily|quota/i.test(text)

function waitOf({ status, headers }: ProviderResponse): number {
  const seconds = Number(headers['retry-after'] ?? Number.NaN)
  if (Number.isFinite(seconds) && seconds >= 0) return Math.max(seconds, 0.2)
  return status === 429 ? 1 : 0.5
}

/** A message without anything else is an error whose status was lost on its way through the gateway. */
const statusOf = ({ status }: ProviderResponse, said: { text: string; httpStatus?: number }): number =>
  status === 200 ? (said.httpStatus ?? (said.text === '' ? 200 : 502)) : status

function readRefusal(text: string): { text: string; httpStatus?: number } {
  try {
    const { message, messages, httpStatus } = Refusal.parse(JSON.parse(text))
    return { text: message ?? messages ?? '', httpStatus }
  } catch {
    return { text: '' }
  }
}

/** What an answer other than 200 means to the caller. The vendor's words name our plan, so they stay in the log. */
function failure(status: number, said: string, reply: ProviderResponse, missing: string): AppError {
  const cause = new Error(`HTTP ${reply.status}: ${reply.text.slice(0, 500)}`)
  const say = (message: string, retryAfter?: number) => new AppError('upstream_error', message, { cause, retryAfter })
  if (isQuota(reply)) {
    return say(
      `${PROPERTY_PROVIDER} has no requests left for this gateway until its quota is renewed.`,
      secondsToReset(reply),
    )
  }
  if (status === 429)
    return say(`${PROPERTY_PROVIDER} limits how often this gateway may ask. Try again in a few seconds.`, 5)
  if (status === 401 || (status === 403 && reply.status === 403) || /^Endpoint /.test(said)) {
    return say(
      `${PROPERTY_PROVIDER} refused this gateway's access (HTTP ${status}). Its operator has to look into that.`,
    )
  }
  if (status === 404) return say(missing)
  if (status === 400 || status === 422) return say(`${PROPERTY_PROVIDER} refused the parameters. ${missing}`)
  if (status === 403) return say(`${PROPERTY_PROVIDER} was turned away by its own source. Try again later.`)
  if (status >= 500) return say(`${PROPERTY_PROVIDER} has a fault of its own (HTTP ${status}). Try again later.`)
  return say(`${PROPERTY_PROVIDER} gave an unexpected answer (HTTP ${status}).`)
}

/** The reset header counts seconds left; a caller is told to come back within a day. */
function secondsToReset({ headers }: ProviderResponse): number {
  const seconds = Number(headers['x-ratelimit-requests-reset'] ?? Number.NaN)
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.ceil(seconds), 86_400) : 3_600
}
