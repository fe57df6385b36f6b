/** Side effects of a sed script: the files it writes, and whether it runs commands. */
export type SedEffects = { writes: string[]; runs: boolean }

/** An address that is a line number or `$`. Patterns are skipped by `patternEnd`. */
const LINE_ADDRESS = /^(\d+(~\d+)?|\$|[+~]\d+)/

/** Commands without an argument. */
const BARE = /^[=dDgGhHnNpPxzF{}]/

/** Commands whose argument is a word or a number, up to the end of the command. */
const WORD = /^[btTqQlL:][^\n;}]*/

/** Commands whose text or input file extends to the end of the line. */
const LINE = /^[aicrR](\\\n|[^\n])*/

/** The side effects of a sed script; null where it cannot be parsed. */
export function sedEffects(script: string): SedEffects | null {
  const effects: SedEffects = { writes: [], runs: false }
  let left = script
  for (;;) {
    left = left.replace(/^(\s|;|#[^\n]*)+/, '')
    if (left === '') return effects
    left = dropAddresses(left)
    const rest = dropCommand(left, effects)
    if (rest === null || rest === left) return null
    left = rest
  }
}

function dropAddresses(text: string): string {
  let left = text
  for (let count = 0; count < 2; count++) {
    const end = patternEnd(left)
    if (end !== null) left = left.slice(end).replace(/^[IM]+/, '')
    else left = left.replace(LINE_ADDRESS, '')
    if (!/^\s*,/.test(left)) break
    left = left.replace(/^\s*,\s*/, '')
  }
  return left.replace(/^[\s!]+/, '')
}

/** The index after a pattern in slashes or custom delimiters; null where none begins. */
function patternEnd(text: string): number | null {
  if (text[0] === '/') return skipTo(text, 1, '/')
  const mark = text[0] === '\\' ? text[1] : undefined
  return mark === undefined ? null : skipTo(text, 2, mark)
}

/** The rest of a script after its first command; null where that cannot be parsed. */
function dropCommand(text: string, effects: SedEffects): string | null {
  for (const form of [BARE, WORD, LINE]) if (form.test(text)) return text.replace(form, '')
  if (/^[wW]/.test(text)) return dropFile(text.slice(1), effects)
  if (text[0] === 'e') {
    effects.runs = true
    return text.replace(/^[^\n]*/, '')
  }
  return text[0] === 's' || text[0] === 'y' ? dropSubstitution(text, effects) : null
}

function dropSubstitution(text: string, effects: SedEffects): string | null {
  const mark = text[1]
  if (mark === undefined || mark === '\n' || mark === '\\') return null
  const middle = skipTo(text, 2, mark)
  const end = middle === null ? null : skipTo(text, middle, mark)
  if (end === null) return null
  const [flags = ''] = /^[gpIiMme\d]*/.exec(text.slice(end)) ?? []
  if (text[0] === 's' && flags.includes('e')) effects.runs = true
  const rest = text.slice(end + flags.length)
  return rest.startsWith('w') ? dropFile(rest.slice(1), effects) : rest
}

function dropFile(text: string, effects: SedEffects): string {
  const [line = ''] = text.split('\n', 1)
  effects.writes.push(line.trim())
  return text.slice(line.length)
}

/** The index after the next mark that is neither escaped nor in brackets; null: not found. */
function skipTo(text: string, from: number, mark: string): number | null {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === mark) return at + 1
    else if (text[at] === '[') at = Math.max(at, text.indexOf(']', at + (text[at + 1] === '^' ? 3 : 2)))
  }
  return null
}
