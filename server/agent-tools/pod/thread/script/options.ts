import { dropPrefix, knownPrefix, type ScriptWord, wordText } from './word'

/** A command's options with their values, and its operands. */
export type ParsedOptions = { options: { name: string; value: ScriptWord | null }[]; operands: ScriptWord[] }

/**
 * Separates options from operands, as far as the words are known. `valued`: the short letters and
 * long names that take a value. `firstOnly`: options end at the first operand, as where a command
 * follows.
 */
export function parseOptions(
  args: readonly ScriptWord[],
  valued: readonly string[] = [],
  firstOnly = false,
): ParsedOptions {
  const options: ParsedOptions['options'] = []
  const operands: ScriptWord[] = []
  const takes = new Set(valued)
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? []
    const begin = knownPrefix(arg)
    if (wordText(arg) === '--') return { options, operands: [...operands, ...args.slice(at + 1)] }
    if (begin.startsWith('--')) {
      const [name = '', ...rest] = begin.slice(2).split('=')
      const value = rest.length > 0 ? dropPrefix(arg, name.length + 3) : takes.has(name) ? args[++at] : null
      options.push({ name, value: value ?? null })
    } else if (/^-./.test(begin)) {
      at += shortOptions(arg, takes, options, args[at + 1]) ? 1 : 0
    } else {
      if (firstOnly) return { options, operands: args.slice(at) }
      operands.push(arg)
    }
  }
  return { options, operands }
}

/** Parses `-abc`, `-ovalue` and `-o value`. True when the next word is the value. */
function shortOptions(
  arg: ScriptWord,
  takes: ReadonlySet<string>,
  options: ParsedOptions['options'],
  next: ScriptWord | undefined,
): boolean {
  const letters = knownPrefix(arg)
  for (let at = 1; at < letters.length; at++) {
    const name = letters[at] ?? ''
    if (!takes.has(name)) {
      options.push({ name, value: null })
      continue
    }
    const rest = dropPrefix(arg, at + 1)
    const isInside = rest.some((piece) => piece === null || piece !== '')
    options.push({ name, value: isInside ? rest : (next ?? null) })
    return !isInside
  }
  return false
}

export const hasOption = ({ options }: ParsedOptions, ...names: string[]): boolean =>
  options.some(({ name }) => names.includes(name))

/** The values of an option in order. */
export const optionValues = ({ options }: ParsedOptions, ...names: string[]): ScriptWord[] =>
  options.flatMap(({ name, value }) => (names.includes(name) && value ? [value] : []))
