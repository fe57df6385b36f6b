import { AppError } from '../../errors'
import type { VendorReply } from '../vendor'

export const VENDOR = 'The video site'

/** A refusal in words for the caller; what the vendor said stays in the log. */
export const refusal = (message: string, reply?: VendorReply, retryAfter?: number): AppError =>
  new AppError('upstream_error', message, {
    retryAfter,
    cause: reply && new Error(`HTTP ${reply.status}: ${reply.text.slice(0, 500)}`),
  })

export const tooOften = (reply: VendorReply): AppError => {
  const wait = retryAfterOf(reply) ?? 60
  return refusal(`${VENDOR} limits how often this gateway may ask. Try again in ${wait} seconds.`, reply, wait)
}

/** What an InnerTube answer other than 200 means to the caller. */
export function failure(reply: VendorReply): AppError {
  const { status } = reply
  if (status === 429) return tooOften(reply)
  if (status >= 500) return refusal(`${VENDOR} has a fault of its own (HTTP ${status}). Try again later.`, reply)
  if (status >= 300 && status < 400) {
    return refusal(`${VENDOR} asks this gateway for consent first. Its operator has to look into that.`, reply)
  }
  if (status === 400 || status === 404) return refusal(`${VENDOR} refused the request (HTTP ${status}).`, reply)
  if (status === 401 || status === 403) {
    return refusal(`${VENDOR} turned this gateway away (HTTP ${status}). Its operator has to look into that.`, reply)
  }
  return refusal(`${VENDOR} gave an unexpected answer (HTTP ${status}).`, reply)
}

/** Whole seconds from a Retry-After, 1 to 3600; null when there is none to go by. */
function retryAfterOf({ headers }: VendorReply): number | null {
  const text = [headers['retry-after'] ?? ''].flat()[0] ?? ''
  return /^\d+$/.test(text) ? Math.min(Math.max(Number(text), 1), 3600) : null
}
