import { stripVTControlCharacters } from 'node:util'

/** Lines of a failure that are shown: what was expected, what was met, and where. */
const LINES = 12
/** Characters of a line that are shown. */
const COLUMNS = 200

/** What vitest ("FAIL  file > test") and Playwright ("  1) file › test") begin a failure with. */
const FIRST_LINE = /^(FAIL |\d{1,4}\) tests\/)/
/** What ends a failure: the next one, the next test, a rule, or the list of attachments. */
const NEXT = /^(FAIL |\d{1,4}\) |\[\d{1,5}\/\d{1,5}\]|[⎯─]{3}|attachment #)/

/**
 * The failures in what vitest or Playwright printed, each once, with the first lines of its reason.
 * @param {string} output
 * @returns {string[]} each of up to a dozen lines
 */
export function failedTests(output) {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trim().slice(0, COLUMNS))
    .filter(Boolean)
  /** @type {Map<string, string>} */
  const failures = new Map()
  for (const [at, line] of lines.entries()) {
    if (!FIRST_LINE.test(line)) continue
    const rest = lines.slice(at + 1, at + LINES)
    const end = rest.findIndex((next) => NEXT.test(next))
    const why = end < 0 ? rest : rest.slice(0, end)
    // Vitest names a test once more in its summary: whoever says more is kept.
    const text = [line, ...why].join('\n    ')
    if (text.length > (failures.get(line)?.length ?? 0)) failures.set(line, text)
  }
  return [...failures.values()]
}
