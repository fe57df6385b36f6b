const MAX_WAIT_S = 3600

/**
 * Seconds that a Retry-After header (RFC 9110, 10.2.3) asks to wait, whether it gives seconds or a
 * date: 0 to 3600. Null without a header, and for a value that is neither.
 */
export function parseRetryAfter(header: string | readonly string[] | undefined, now = Date.now()): number | null {
  const text = [header ?? ''].flat()[0]?.trim() ?? ''
  const isDate = /^[a-z]{3},/i.test(text)
  const seconds = isDate ? (Date.parse(text) - now) / 1000 : /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), MAX_WAIT_S) : null
}

/** A wait as a Retry-After header states it: whole seconds, at least 1. */
export const toRetryAfter = (seconds: number): number => Math.max(1, Math.ceil(seconds))
