import { z } from 'zod'
import { AppError, type Reason } from '../../errors'
import { headerOf, type ProviderResponse } from '../provider'
import { inGatewayWords, providerError, readErrorBody } from '../provider-errors'
import { lenient, lenientString } from '../provider-fields'

export const MICROBLOG_PROVIDER = 'The microblog provider'

/** What a message calls the thing that was requested. */
export type MicroblogSubject = { kind: 'user' | 'post' | 'search'; name: string }

/**
 * One entry of `errors`, or a whole error body; the host in `type` is api.twitter.com or api.x.com.
 */
export const MicroblogProblem = z.object({
  title: lenientString,
  detail: lenientString,
  message: lenientString,
  type: lenientString,
})
export type MicroblogProblem = z.output<typeof MicroblogProblem>

const ErrorBody = MicroblogProblem.extend({ errors: lenient(z.array(MicroblogProblem)) })

/**
 * The error for a thing that is not shown to this gateway, which responses with status 200 report
 * too.
 */
export function notVisibleError(problem: MicroblogProblem | undefined, { kind, name }: MicroblogSubject): AppError {
  const cause = new Error(`${problem?.title}: ${problem?.detail}`)
  const error = (reason: Reason, message: string) => new AppError('upstream_error', message, { reason, cause })
  // Suspended accounts have the type of missing ones.
  if (/suspended/i.test(problem?.detail ?? ''))
    return error('not_public', `The account of ${kind} ${name} is suspended.`)
  if (hasType(problem, 'resource-not-found'))
    return error('not_found', `There is no ${kind} ${name}, or it was deleted.`)
  if (hasType(problem, 'not-authorized-for-resource')) {
    return error('not_public', `The ${kind} ${name} is not public: its account is protected or suspended.`)
  }
  return error('not_public', `${MICROBLOG_PROVIDER} does not show the ${kind} ${name}.`)
}

/**
 * The error for a response other than 200. The provider's words about wrong parameters help, so
 * they are passed on.
 */
export function microblogError(response: ProviderResponse, subject: MicroblogSubject): AppError {
  const { status } = response
  const body = readErrorBody(response, ErrorBody)
  const first = body?.errors?.[0]
  const problem = first ?? body
  if (isQuotaExhausted(response)) return providerError(MICROBLOG_PROVIDER, response, { failure: 'quota' })
  if (status === 429) {
    return providerError(MICROBLOG_PROVIDER, response, { retryAfterS: secondsToReset(response) })
  }
  if (status === 404 || (status < 500 && hasType(problem, 'not-authorized-for-resource'))) {
    return notVisibleError(problem ?? NOT_FOUND, subject)
  }
  const words = first?.message ?? first?.detail ?? body?.detail
  const message =
    status === 400 && words
      ? `${MICROBLOG_PROVIDER} rejected the parameters: ${inGatewayWords(words, GATEWAY_NAMES)}`
      : undefined
  return providerError(MICROBLOG_PROVIDER, response, { message })
}

const GATEWAY_NAMES = { max_results: 'limit', pagination_token: 'cursor', next_token: 'cursor' }

/** A 404 for an unknown path, or for an id of another form, has no body. */
const NOT_FOUND: MicroblogProblem = { title: null, detail: null, message: null, type: 'resource-not-found' }

const hasType = (problem: MicroblogProblem | null | undefined, type: string): boolean =>
  problem?.type?.endsWith(`/${type}`) || problem?.type === type

/**
 * True for a 429 that lasts until the end of the month, and not of the window that its headers
 * name.
 */
const isQuotaExhausted = (response: ProviderResponse): boolean =>
  response.status === 429 && hasType(readErrorBody(response, ErrorBody), 'usage-capped')

/**
 * Seconds to the end of the rate window, whose header holds an epoch; there is no Retry-After. Null
 * if unknown.
 */
function secondsToReset(response: ProviderResponse): number | null {
  const reset = headerOf(response, 'x-rate-limit-reset')
  const seconds = /^\d{1,12}$/.test(reset) ? Number(reset) - Date.now() / 1000 : 0
  return seconds > 0 ? Math.min(Math.max(seconds, 1), 3600) : null
}

/** Seconds to wait before another attempt; null for none. */
export function microblogRetryDelayS(response: ProviderResponse): number | null {
  if (isQuotaExhausted(response)) return null
  return response.status === 429 ? (secondsToReset(response) ?? 1) : 0.5
}
