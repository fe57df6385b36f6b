import type { WordNode } from 'just-bash'
import { HOME } from '../../driver'

/** A stretch of a word that stands in the script, or null for one that is only known while it runs. */
export type Piece = string | null

/** A word of a command as far as it can be read. */
export type Arg = readonly Piece[]

type Part = WordNode['parts'][number]

const piecesOf = (part: Part): Arg => {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'Escaped':
      return [part.value]
    case 'DoubleQuoted':
      return part.parts.flatMap(piecesOf)
    case 'Glob':
      // The command `[`, or a bracket that never closes.
      return [part.pattern === '[' ? '[' : null]
    case 'TildeExpansion':
      return [part.user === null ? HOME : null]
    case 'ParameterExpansion':
      return [part.parameter === 'HOME' && part.operation === null ? HOME : null]
    default:
      return [null]
  }
}

export const argOf = (word: WordNode): Arg => word.parts.flatMap(piecesOf)

/** The whole text of a word, or null where a part of it is only known while it runs. */
export const textOf = (arg: Arg): string | null => (arg.includes(null) ? null : arg.join(''))

/** The word's text up to the first part that is unknown. */
export const beginOf = (arg: Arg): string => arg.slice(0, arg.includes(null) ? arg.indexOf(null) : undefined).join('')

/** A word as a person reads it: what is unknown shows as dots. */
export const shown = (arg: Arg): string => arg.map((piece) => piece ?? '…').join('') || "''"

/** True where what is known of a word makes it an option. */
export const isOption = (arg: Arg): boolean => /^-./.test(beginOf(arg))

/** The word without its first characters. */
export function dropBegin(arg: Arg, count: number): Arg {
  const [first, ...rest] = arg
  return [(first ?? '').slice(count), ...rest]
}
