import type { Adjustment } from './shape'

/** Fields that are named: a request may have any number of others that are dropped. */
const MAX_NAMED = 30

/** What was changed of a request as a header says it: `temperature=dropped, max_tokens=16`. */
export function adjustedText(adjusted: readonly Adjustment[]): string {
  const named = adjusted.filter(({ field }) => /^[\w.-]{1,64}$/.test(field)).slice(0, MAX_NAMED)
  const texts = named.map(({ field, now }) => `${field}=${now}`)
  const rest = adjusted.length - named.length
  return [...texts, ...(rest > 0 ? [`others=${rest}`] : [])].join(', ')
}
