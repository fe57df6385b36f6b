import { isRecord } from '../../server/kit/record'

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value === 'object' ? 'object' : typeof value

/**
 * What a response of a guide shows and an answer lacks, as paths: each field must be there with a
 * value of the same type. Of lists the first items are compared, and null fits any type.
 */
export function missingFields(shown: unknown, answer: unknown, at = ''): string[] {
  if (shown === null || (answer === null && at !== '')) return []
  if (typeOf(shown) !== typeOf(answer)) return [`${at || 'all'}: ${typeOf(shown)}, came ${typeOf(answer)}`]
  if (Array.isArray(shown) && Array.isArray(answer)) {
    if (answer.length < shown.length) return [`${at}: ${shown.length} items, came ${answer.length}`]
    return shown.flatMap((item, i) => missingFields(item, answer[i], `${at}[${i}]`))
  }
  if (!isRecord(shown) || !isRecord(answer)) return []
  return Object.entries(shown).flatMap(([name, value]) => {
    const path = at ? `${at}.${name}` : name
    return name in answer ? missingFields(value, answer[name], path) : [`${path}: missing`]
  })
}

const firstWords = (text: string): string[] => text.split('\n').flatMap((line) => /^[\w.-]+:?/.exec(line)?.[0] ?? [])

/** The first words of lines that a response shows and an answer lacks. */
export function missingLines(shown: string, answer: string): string[] {
  const came = new Set(firstWords(answer))
  return firstWords(shown).filter((word) => !came.has(word))
}
