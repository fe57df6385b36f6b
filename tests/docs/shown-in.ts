import { isRecord } from '../../server/kit/record'

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value === 'object' ? 'object' : typeof value

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d\.\d{3}Z)?$/
/** The beginning of an id, as guides show it. */
const SHORT_ID = /[0-9a-f]{8}-…/g
/** Values that depend on when, how fast and by whom an example is run. */
const VARYING =
  /(^|\.)(id|key|durationMs|rpm|remaining|resetS|rate\.limit|creditsSpent|inputTokens|outputTokens|cachedTokens|created)$|^(left\.credits|spent)$/

/** True for a text that is as shown: `…` stands for any text, a time for any time. */
function isAsShown(shown: string, text: string): boolean {
  if (TIME.test(shown)) return TIME.test(text) && text.length === shown.length
  const [first = '', ...rest] = shown.replaceAll(SHORT_ID, '…').split('…')
  if (rest.length === 0) return shown === text
  let at = first.length
  const isInOrder = rest.every((piece) => {
    const found = text.indexOf(piece, at)
    at = found + piece.length
    return found >= 0
  })
  return text.startsWith(first) && isInOrder
}

const decimalsOf = (value: number): number => String(value).split('.')[1]?.length ?? 0

/** True for a number that is shown, rounded where it has decimals, or that may be another. */
const isNumberAsShown = (shown: number, value: number, path: string): boolean =>
  (decimalsOf(shown) > 0 ? Number(value.toFixed(decimalsOf(shown))) : value) === shown || VARYING.test(path)

/**
 * How an answer differs from what a guide shows of it, as paths: each field that is shown must be
 * there with the same value. Of lists the first items are compared; `isAsShown` says which texts
 * are the same, `VARYING` which numbers may be others.
 */
export function differences(shown: unknown, answer: unknown, at = ''): string[] {
  if (typeOf(shown) !== typeOf(answer)) return [`${at || 'all'}: ${typeOf(shown)}, came ${typeOf(answer)}`]
  if (Array.isArray(shown) && Array.isArray(answer)) {
    if (answer.length < shown.length) return [`${at}: ${shown.length} items, came ${answer.length}`]
    return shown.flatMap((item, i) => differences(item, answer[i], `${at}[${i}]`))
  }
  if (isRecord(shown) && isRecord(answer)) {
    return Object.entries(shown).flatMap(([name, value]) => {
      const path = at ? `${at}.${name}` : name
      return name in answer ? differences(value, answer[name], path) : [`${path}: missing`]
    })
  }
  const isSame =
    typeof shown === 'string' && typeof answer === 'string'
      ? isAsShown(shown, answer)
      : typeof shown === 'number' && typeof answer === 'number'
        ? isNumberAsShown(shown, answer, at)
        : shown === answer
  return isSame ? [] : [`${at || 'all'}: ${JSON.stringify(shown)}, came ${JSON.stringify(answer)}`]
}

const firstWords = (text: string): string[] => text.split('\n').flatMap((line) => /^[\w.-]+:?/.exec(line)?.[0] ?? [])

/** The first words of lines that a response shows and an answer lacks. */
export function missingLines(shown: string, answer: string): string[] {
  const came = new Set(firstWords(answer))
  return firstWords(shown).filter((word) => !came.has(word))
}
