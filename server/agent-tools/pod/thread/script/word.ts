import type { WordNode } from 'just-bash'
import { POD_HOME } from '../../pod-files'

/** A stretch of a word that stands in the script, or null for one that is only known while it runs. */
export type WordPiece = string | null

/** A word of a command as far as it can be read. */
export type ScriptWord = readonly WordPiece[]

type Part = WordNode['parts'][number]

const piecesOf = (part: Part): ScriptWord => {
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
      return [part.user === null ? POD_HOME : null]
    case 'ParameterExpansion':
      return [part.parameter === 'HOME' && part.operation === null ? POD_HOME : null]
    default:
      return [null]
  }
}

export const scriptWordOf = (word: WordNode): ScriptWord => word.parts.flatMap(piecesOf)

/** The whole text of a word, or null where a part of it is only known while it runs. */
export const wordText = (arg: ScriptWord): string | null => (arg.includes(null) ? null : arg.join(''))

/** The word's text up to the first part that is unknown. */
export const knownPrefix = (arg: ScriptWord): string =>
  arg.slice(0, arg.includes(null) ? arg.indexOf(null) : undefined).join('')

/** A word as a person reads it: what is unknown shows as dots. */
export const displayWord = (arg: ScriptWord): string => arg.map((piece) => piece ?? '…').join('') || "''"

/** True where what is known of a word makes it an option. */
export const isOption = (arg: ScriptWord): boolean => /^-./.test(knownPrefix(arg))

/** The word without its first characters. */
export function dropPrefix(arg: ScriptWord, count: number): ScriptWord {
  const [first, ...rest] = arg
  return [(first ?? '').slice(count), ...rest]
}
