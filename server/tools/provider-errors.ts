import type { z } from 'zod'
import { AppError, type Reason } from '../errors'
import { parseRetryAfter, toRetryAfter } from '../kit/retry-after'
import { trimEnd } from '../kit/trim-end'
import type { ProviderResponse } from './provider'

/** What can be wrong with a response that is not a success. */
type ProviderFailure = 'parameters' | 'missing' | 'access' | 'quota' | 'rateLimit' | 'outage' | 'unexpected'

const REASON: Record<ProviderFailure, Reason> = {
  parameters: 'invalid_input',
  missing: 'not_found',
  access: 'provider_access',
  quota: 'provider_access',
  rateLimit: 'rate_limited',
  outage: 'provider_error',
  unexpected: 'provider_error',
}

const FAILURE_BY_STATUS: Record<number, ProviderFailure> = {
  400: 'parameters',
  401: 'access',
  402: 'quota',
  403: 'access',
  414: 'parameters',
  422: 'parameters',
  429: 'rateLimit',
}

const DEFAULT_WAIT_S = 60

const MESSAGES: Record<ProviderFailure, (provider: string, status: number, waitS: number) => string> = {
  parameters: (provider, status) => `${provider} rejected the parameters (HTTP ${status}).`,
  missing: (provider, status) => `${provider} has nothing of that id (HTTP ${status}).`,
  access: (provider, status) => `${provider} denied access to this gateway (HTTP ${status}). Contact the operator.`,
  quota: (provider) => `${provider} has no quota left for this gateway. Contact the operator.`,
  rateLimit: (provider, _, waitS) =>
    `${provider} limits the request rate of this gateway. Try again in ${waitS} seconds.`,
  outage: (provider, status) => `${provider} returned an error (HTTP ${status}). Try again later.`,
  unexpected: (provider, status) => `${provider} returned an unexpected response (HTTP ${status}).`,
}

/** What a provider means by a response, where that differs from its status. */
export type ProviderErrorOverrides = {
  failure?: ProviderFailure
  /** Default: that of the failure. */
  reason?: Reason
  /** A message of the group's own. */
  message?: string
  /** Seconds after which to try again; null: unknown. Default for a rate limit: Retry-After. */
  retryAfterS?: number | null
}

/**
 * The `upstream_error` for a response that is not a success: what its status means, unless the
 * group knows better. The provider's own words go to the log only, as they may name the operator's
 * account.
 */
export function providerError(
  provider: string,
  response: ProviderResponse,
  overrides: ProviderErrorOverrides = {},
): AppError {
  const { status, headers } = response
  const failure = overrides.failure ?? FAILURE_BY_STATUS[status] ?? (status >= 500 ? 'outage' : 'unexpected')
  const { retryAfterS = failure === 'rateLimit' ? parseRetryAfter(headers['retry-after']) : null } = overrides
  const waitS = toRetryAfter(retryAfterS ?? DEFAULT_WAIT_S)
  return new AppError('upstream_error', overrides.message ?? MESSAGES[failure](provider, status, waitS), {
    reason: overrides.reason ?? REASON[failure],
    cause: responseForLog(response),
    retryAfter: failure === 'rateLimit' || retryAfterS !== null ? waitS : undefined,
  })
}

/** A response as the log has it, which callers do not see. */
export const responseForLog = ({ status, text }: ProviderResponse): Error =>
  new Error(`HTTP ${status}: ${text.slice(0, 500)}`)

/** The body of an error, or null when it is not of the form that the provider documents. */
export function readErrorBody<T extends z.ZodType>({ text }: ProviderResponse, shape: T): z.output<T> | null {
  try {
    return shape.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/**
 * A provider's words about wrong parameters as a short sentence, with the parameters under the
 * names that this gateway gives them.
 */
export function inGatewayWords(words: string, names: Readonly<Record<string, string>>): string {
  const renamed = words
    .slice(0, 300)
    .replace(/\w+/g, (word) => (Object.hasOwn(names, word) ? (names[word] ?? word) : word))
  return `${trimEnd(renamed, ' \t\n.')}.`
}
