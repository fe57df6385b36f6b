import { type Arg, beginOf, dropBegin, textOf } from './word'

/** A command's words, apart: its options with their values, and what they are about. */
export type Words = { options: { name: string; value: Arg | null }[]; operands: Arg[] }

/**
 * Tells options from operands, as far as they can be read. `valued`: the short letters and long names that take a value.
 * `firstOnly`: options end at the first operand, as they do where a command follows.
 */
export function wordsOf(args: readonly Arg[], valued: readonly string[] = [], firstOnly = false): Words {
  const options: Words['options'] = []
  const operands: Arg[] = []
  const takes = new Set(valued)
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? []
    const begin = beginOf(arg)
    if (textOf(arg) === '--') return { options, operands: [...operands, ...args.slice(at + 1)] }
    if (begin.startsWith('--')) {
      const [name = '', ...rest] = begin.slice(2).split('=')
      const value = rest.length > 0 ? dropBegin(arg, name.length + 3) : takes.has(name) ? args[++at] : null
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

/** Reads `-abc`, `-ovalue` and `-o value`; true when the next word was used as the value. */
function shortOptions(arg: Arg, takes: ReadonlySet<string>, options: Words['options'], next: Arg | undefined): boolean {
  const letters = beginOf(arg)
  for (let at = 1; at < letters.length; at++) {
    const name = letters[at] ?? ''
    if (!takes.has(name)) {
      options.push({ name, value: null })
      continue
    }
    const rest = dropBegin(arg, at + 1)
    const isInside = rest.some((piece) => piece === null || piece !== '')
    options.push({ name, value: isInside ? rest : (next ?? null) })
    return !isInside
  }
  return false
}

export const hasOption = ({ options }: Words, ...names: string[]): boolean =>
  options.some(({ name }) => names.includes(name))

/** The values of an option, in order. */
export const valuesOf = ({ options }: Words, ...names: string[]): Arg[] =>
  options.flatMap(({ name, value }) => (names.includes(name) && value ? [value] : []))
