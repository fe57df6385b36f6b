import { z } from 'zod'
import { AppError } from '../../errors'
import type { ProviderResponse } from '../provider'
import { FORUM_PROVIDER } from './token'

/** What a message calls the thing asked for: `community sailing`, `user ada`, `post 1abc`. */
export type ForumSubject = { kind: 'community' | 'user' | 'post' | 'domain' | 'search'; name: string }

/** `{message, error}`, sometimes with `reason`; also `{error}` alone, HTML, or nothing. */
const ErrorBody = z.object({ reason: z.string() })

const REASONS: Record<string, string> = {
  private: 'is private',
  banned: 'is banned',
  quarantined: 'is quarantined: it is shown to signed-in readers only',
  gold_only: 'is for paying members only',
}

/** What an answer other than 200 means to the caller. The vendor's own words stay in the log. */
export function forumError(reply: ProviderResponse, subject: ForumSubject): AppError {
  const { status } = reply
  const cause = new Error(`HTTP ${status}: ${reply.text.slice(0, 500)}`)
  const say = (message: string, retryAfter?: number) => new AppError('upstream_error', message, { cause, retryAfter })
  const { kind, name } = subject
  const it = `${kind} ${name}`

  if (status === 429) {
    const wait = Math.ceil(forumRetryDelayS(reply) ?? 60)
    return say(`${FORUM_PROVIDER} limits how often this gateway may ask. Try again in ${wait} seconds.`, wait)
  }
  if (status >= 500) return say(`${FORUM_PROVIDER} has a fault of its own (HTTP ${status}). Try again later.`)
  const reason = REASONS[readReason(reply.text)]
  if (reason) return say(`The ${it} ${reason}.`)
  // A community nobody made is a redirect to the search for communities.
  if (status === 404 || (status >= 300 && status < 400)) return say(`There is no ${it}, or it was deleted.`)
  if (status === 403 && isJson(reply) && !header(reply, 'www-authenticate')) {
    return say(`${FORUM_PROVIDER} does not show the ${it} to the public (HTTP 403).`)
  }
  if (status === 401 || status === 403) {
    return say(`${FORUM_PROVIDER} refused this gateway's access (HTTP ${status}). Its operator has to look into that.`)
  }
  if (status === 400 || status === 414) return say(`${FORUM_PROVIDER} refused the parameters (HTTP ${status}).`)
  return say(`${FORUM_PROVIDER} gave an unexpected answer (HTTP ${status}).`)
}

/**
 * Seconds to wait by a 429's headers, 1 to 3600: Retry-After, else the end of the window, which is in seconds from now
 * and may have decimals. Null when neither is there.
 */
export function forumRetryDelayS(reply: ProviderResponse): number | null {
  const told = [header(reply, 'retry-after'), header(reply, 'x-ratelimit-reset')].find((text) =>
    /^\d+(\.\d+)?$/.test(text),
  )
  return told === undefined ? null : Math.min(Math.max(Number(told), 1), 3600)
}

const header = ({ headers }: ProviderResponse, name: string): string => [headers[name] ?? ''].flat()[0] ?? ''

const isJson = (reply: ProviderResponse): boolean => header(reply, 'content-type').includes('json')

function readReason(body: string): string {
  try {
    return ErrorBody.parse(JSON.parse(body)).reason
  } catch {
    return ''
  }
}
