import { fitJson, type JsonCut } from '../../kit/fit-json'
import { resultText } from './result-text'

/** Attempts to make a text as long as it may be, which the length of its JSON only suggests. */
const MAX_ATTEMPTS = 10
/** A text that is so long already is not tried again. */
const FULL = 0.9

/** A value as text that fits, and where it was cut. */
export type FittedResult = { text: string; cuts: JsonCut[]; isNothing: boolean }

/** A value cut so that its text has at most so many characters. */
export function fitResult(value: unknown, maxChars: number): FittedResult {
  let best: FittedResult | null = null
  let jsonChars = (maxChars * JSON.stringify(value ?? null).length) / Math.max(1, resultText(value).length)
  // What fitted, and what did not: the length of the text jumps where a row or a column goes.
  let low = 0
  let high = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { value: fitted, cuts } = fitJson(value, Math.floor(jsonChars))
    const text = resultText(fitted)
    if (text.length <= maxChars && (best === null || text.length > best.text.length))
      best = { text, cuts, isNothing: fitted === null }
    if (text.length <= maxChars && text.length > maxChars * FULL) break
    if (text.length <= maxChars) low = jsonChars
    else high = jsonChars
    const next = jsonChars * ((maxChars * 0.97) / Math.max(text.length, maxChars / 4))
    jsonChars = next > low && next < high ? next : (low + Math.min(high, jsonChars * 2)) / 2
  }
  return best ?? { text: '', cuts: [{ path: [], kind: 'items', shown: 0, total: 1 }], isNothing: true }
}
