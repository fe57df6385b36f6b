import { joinReplies } from './unfinished-replies'

/** What ends a sentence or an item of a list, in any script. */
const END = /[.!?。！？…؟।)\]|*_`"”’](?=\s|$)|[。！？]/g
/** More of a text than this is not given up for a whole end: a part of it, and characters. */
const MAX_LOST = { part: 0.4, chars: 200 }

/** A text that was cut, up to the end of its last whole line or sentence. */
export function wholeSentences(text: string): string {
  const cut = text.trimEnd()
  const line = cut.lastIndexOf('\n')
  // A row of a table is whole or not there.
  const isRow = /^\s*\|/.test(cut.slice(line + 1)) && !cut.endsWith('|')
  const sentence = isRow ? undefined : [...cut.slice(line + 1).matchAll(END)].at(-1)
  const end = sentence ? line + 1 + sentence.index + sentence[0].length : line
  const lost = cut.length - end
  const whole = end > 0 && (lost <= cut.length * MAX_LOST.part || lost <= MAX_LOST.chars) ? cut.slice(0, end) : cut
  return closeFence(withoutHeading(whole))
}

/** A heading, or the mark of an item, with nothing after it. */
const HEADING = /^(#{1,6} .*|[-*+]|\d{1,4}\.)$/

function withoutHeading(text: string): string {
  const line = text.lastIndexOf('\n') + 1
  return line > 0 && HEADING.test(text.slice(line).trim()) ? text.slice(0, line).trimEnd() : text.trimEnd()
}

/** A text whose block of code, which the cut left open, ends. */
function closeFence(text: string): string {
  const fences = text.match(/^```/gm)?.length ?? 0
  return fences % 2 === 1 ? `${text}\n\`\`\`` : text
}

/** A begun answer and its rest: a table or list goes on, anything else is a new paragraph. */
export function joinRest(begun: string, rest: string): string {
  const joined = joinReplies(begun, rest)
  if (joined !== begun + rest) return joined
  const goesOn = /^[ \t]*([|*+-]|\d{1,4}\.)/.test(rest)
  return `${begun}${goesOn ? '\n' : '\n\n'}${rest.trimStart()}`
}
