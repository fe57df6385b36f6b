import { z } from 'zod'
import type { AppError, Reason } from '../../errors'
import { parseRetryAfter } from '../../kit/retry-after'
import { headerOf, type ProviderResponse } from '../provider'
import { providerError, readErrorBody } from '../provider-errors'
import { FORUM_PROVIDER } from './token'

/**
 * What a message calls the thing that was requested: `community sailing`, `user ada`, `post 1abc`.
 */
export type ForumSubject = { kind: 'community' | 'user' | 'post' | 'domain' | 'search'; name: string }

/** `{message, error}`, sometimes with `reason`; also `{error}` alone, HTML, or nothing. */
const ErrorBody = z.object({ reason: z.string() })

const WHY_HIDDEN: Record<string, string> = {
  private: 'is private',
  banned: 'is banned',
  quarantined: 'is quarantined: only signed-in readers can see it',
  gold_only: 'is for paying members only',
}

/** The error for a response other than 200. */
export function forumError(response: ProviderResponse, { kind, name }: ForumSubject): AppError {
  const { status } = response
  const error = (reason?: Reason, message?: string) => providerError(FORUM_PROVIDER, response, { reason, message })
  if (status === 429) return providerError(FORUM_PROVIDER, response, { retryAfterS: rateLimitWaitS(response) })
  if (status >= 500) return error()
  const why = WHY_HIDDEN[readErrorBody(response, ErrorBody)?.reason ?? '']
  if (why) return error('not_public', `The ${kind} ${name} ${why}.`)
  // For a community that does not exist Reddit redirects to its search for communities.
  if (status === 404 || (status >= 300 && status < 400))
    return error('not_found', `There is no ${kind} ${name}, or it was deleted.`)
  const isAboutSubject = headerOf(response, 'content-type').includes('json') && !headerOf(response, 'www-authenticate')
  if (status === 403 && isAboutSubject) {
    return error('not_public', `${FORUM_PROVIDER} does not show the ${kind} ${name} to the public (HTTP 403).`)
  }
  return error()
}

/**
 * Seconds that a 429 asks to wait: Retry-After, else the end of the rate window, which is in
 * seconds from now too.
 */
const rateLimitWaitS = (response: ProviderResponse): number | null =>
  parseRetryAfter(response.headers['retry-after']) ?? parseRetryAfter(response.headers['x-ratelimit-reset'])

/** Seconds to wait before another attempt. */
export const forumRetryDelayS = (response: ProviderResponse): number =>
  response.status === 429 ? (rateLimitWaitS(response) ?? 1) : 0.5
