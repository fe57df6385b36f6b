import { AppError } from '../../errors'
import type { ProviderResponse } from '../provider'

export const VIDEO_PROVIDER = 'The video site'

/** A refusal in words for the caller; what the vendor said stays in the log. */
export const videoError = (message: string, reply?: ProviderResponse, retryAfter?: number): AppError =>
  new AppError('upstream_error', message, {
    retryAfter,
    cause: reply && new Error(`HTTP ${reply.status}: ${reply.text.slice(0, 500)}`),
  })

export const videoRateLimitError = (reply: ProviderResponse): AppError => {
  const wait = retryAfterOf(reply) ?? 60
  return videoError(
    `${VIDEO_PROVIDER} limits how often this gateway may ask. Try again in ${wait} seconds.`,
    reply,
    wait,
  )
}

/** What an InnerTube answer other than 200 means to the caller. */
export function innertubeError(reply: ProviderResponse): AppError {
  const { status } = reply
  if (status === 429) return videoRateLimitError(reply)
  if (status >= 500)
    return videoError(`${VIDEO_PROVIDER} has a fault of its own (HTTP ${status}). Try again later.`, reply)
  if (status >= 300 && status < 400) {
    return videoError(
      `${VIDEO_PROVIDER} asks this gateway for consent first. Its operator has to look into that.`,
      reply,
    )
  }
  if (status === 400 || status === 404)
    return videoError(`${VIDEO_PROVIDER} refused the request (HTTP ${status}).`, reply)
  if (status === 401 || status === 403) {
    return videoError(
      `${VIDEO_PROVIDER} turned this gateway away (HTTP ${status}). Its operator has to look into that.`,
      reply,
    )
  }
  return videoError(`${VIDEO_PROVIDER} gave an unexpected answer (HTTP ${status}).`, reply)
}

/** Whole seconds from a Retry-After, 1 to 3600; null when there is none to go by. */
function retryAfterOf({ headers }: ProviderResponse): number | null {
  const text = [headers['retry-after'] ?? ''].flat()[0] ?? ''
  return /^\d+$/.test(text) ? Math.min(Math.max(Number(text), 1), 3600) : null
}
