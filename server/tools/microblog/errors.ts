import { z } from 'zod'
import { AppError } from '../../errors'
import { trimEnd } from '../../kit/trim-end'
import type { ProviderResponse } from '../provider'

export const MICROBLOG_PROVIDER = 'The microblog provider'

/** What a message calls the thing asked for. */
export type MicroblogSubject = { kind: 'user' | 'post' | 'search'; name: string }

const text = z.string().nullish().catch(null)
/** One entry of `errors`, or a whole error body; the host in `type` is api.twitter.com or api.x.com. */
export const MicroblogProblem = z.object({ title: text, detail: text, message: text, type: text })
export type MicroblogProblem = z.output<typeof MicroblogProblem>

const ErrorBody = MicroblogProblem.extend({ errors: z.array(MicroblogProblem).nullish().catch(null) })

/** A thing the vendor does not show: nobody's fault of access, and told even in answers with status 200. */
export function notVisibleError(problem: MicroblogProblem | undefined, { kind, name }: MicroblogSubject): AppError {
  const cause = new Error(`${problem?.title}: ${problem?.detail}`)
  const say = (message: string) => new AppError('upstream_error', message, { cause })
  const it = `${kind} ${name}`
  // Suspended accounts have the type of missing ones.
  if (/suspended/i.test(problem?.detail ?? '')) return say(`The account of ${it} is suspended.`)
  if (hasType(problem, 'resource-not-found')) return say(`There is no ${it}, or it was deleted.`)
  if (hasType(problem, 'not-authorized-for-resource')) {
    return say(`The ${it} is not public: its account is protected or suspended.`)
  }
  return say(`${MICROBLOG_PROVIDER} does not show the ${it}.`)
}

/** What an answer other than 200 means to the caller. The vendor's own words stay in the log unless they help. */
export function microblogError(reply: ProviderResponse, subject: MicroblogSubject): AppError {
  const { status } = reply
  const cause = new Error(`HTTP ${status}: ${reply.text.slice(0, 500)}`)
  const say = (message: string, retryAfter?: number) => new AppError('upstream_error', message, { cause, retryAfter })
  const body = readError(reply.text)
  const first = body?.errors?.[0]

  if (status === 402 || isQuotaExhausted(reply)) {
    return say(`${MICROBLOG_PROVIDER} has no quota left for this gateway. Its operator has to look into that.`)
  }
  if (status === 429) {
    const wait = Math.ceil(microblogRetryDelayS(reply) ?? 60)
    return say(`${MICROBLOG_PROVIDER} limits how often this gateway may ask. Try again in ${wait} seconds.`, wait)
  }
  if (status >= 500) return say(`${MICROBLOG_PROVIDER} has a fault of its own (HTTP ${status}). Try again later.`)
  const told = first ?? body
  if (status === 404 || hasType(told, 'not-authorized-for-resource')) return notVisibleError(told ?? NOT_FOUND, subject)
  if (status === 401 || status === 403) {
    return say(
      `${MICROBLOG_PROVIDER} refused this gateway's access (HTTP ${status}). Its operator has to look into that.`,
    )
  }
  const words = first?.message ?? first?.detail ?? body?.detail
  if (status === 400 && words) return say(`${MICROBLOG_PROVIDER} refused the parameters: ${inOurWords(words)}`)
  return say(`${MICROBLOG_PROVIDER} gave an unexpected answer (HTTP ${status}).`)
}

/** An unknown path, or an id of another form, is a 404 without a body. */
const NOT_FOUND: MicroblogProblem = { type: 'resource-not-found' }

const hasType = (problem: MicroblogProblem | null | undefined, type: string): boolean =>
  problem?.type?.endsWith(`/${type}`) || problem?.type === type

/** A 429 that ends with the month, not with the window its headers tell of. */
export const isQuotaExhausted = (reply: ProviderResponse): boolean =>
  reply.status === 429 && hasType(readError(reply.text), 'usage-capped')

/** Seconds to wait by a 429's header, an epoch, at most 3600. Null when it tells nothing; there is no Retry-After. */
export function microblogRetryDelayS({ headers }: ProviderResponse): number | null {
  const reset = [headers['x-rate-limit-reset'] ?? ''].flat()[0] ?? ''
  const seconds = /^\d{1,12}$/.test(reset) ? Number(reset) - Date.now() / 1000 : 0
  return seconds > 0 ? Math.min(Math.max(seconds, 1), 3600) : null
}

function readError(body: string): z.output<typeof ErrorBody> | null {
  try {
    return ErrorBody.parse(JSON.parse(body))
  } catch {
    return null
  }
}

const OUR_NAMES: Record<string, string> = { max_results: 'limit', pagination_token: 'cursor', next_token: 'cursor' }

const inOurWords = (words: string): string =>
  `${trimEnd(
    words.slice(0, 300).replace(/\b(max_results|pagination_token|next_token)\b/g, (name) => OUR_NAMES[name] ?? name),
    ' \t\n.',
  )}.`
