import type { WordNode } from 'just-bash'
import { POD_HOME } from '../../pod-files'

/** Part of a word as it is in the script, or null for one that is only known at run time. */
type WordPiece = string | null

/** A word of a command as far as it is known. */
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
      // The command `[`, or an unclosed bracket.
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

/** The whole text of a word; null where a part is only known at run time. */
export const wordText = (arg: ScriptWord): string | null => (arg.includes(null) ? null : arg.join(''))

/** The word's text up to its first unknown part. */
export const knownPrefix = (arg: ScriptWord): string =>
  arg.slice(0, arg.includes(null) ? arg.indexOf(null) : undefined).join('')

/** A word as a person sees it, with dots for unknown parts. */
export const displayWord = (arg: ScriptWord): string => arg.map((piece) => piece ?? '…').join('') || "''"

/** The word without its first characters. */
export function dropPrefix(arg: ScriptWord, count: number): ScriptWord {
  const [first, ...rest] = arg
  return [(first ?? '').slice(count), ...rest]
}
