import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'

/** A call that a model wrote into its text, as models do whose server does not know their format. */
type WrittenCall = { name: string; arguments: string }

/** The tags and fences that models write calls in; a match's group is what is inside. */
const WRITTEN: readonly RegExp[] = [
  /<tool_calls?>\s*([\s\S]*?)\s*(?:<\/tool_calls?>|$)/g,
  /<function_calls?>\s*([\s\S]*?)\s*(?:<\/function_calls?>|$)/g,
  /\[TOOL_CALLS\]\s*(\[[\s\S]*\])/g,
  /<\|python_tag\|>\s*(\{[\s\S]*\})/g,
  /```(?:json|tool_call|tool_code)?[ \t]*\n\s*([[{][\s\S]*?)\s*(?:```|$)/g,
]
/** `<function=name>{…}</function>`, which names the function outside. */
const NAMED = /<function=([\w.-]+)>\s*(\{[\s\S]*?\})\s*(?:<\/function>|$)/g

/** The call that a value describes, in one of the forms that models know; null: it is none. */
function callIn(value: unknown, names: ReadonlySet<string>): WrittenCall | null {
  if (!isRecord(value)) return null
  if (isRecord(value.function) && !('arguments' in value)) return callIn(value.function, names)
  const name = [value.name, value.tool, value.tool_name, value.function].find((each) => typeof each === 'string')
  if (typeof name !== 'string' || !names.has(name)) return null
  const given = [value.arguments, value.parameters, value.args, value.input].find((each) => each !== undefined)
  if (given !== undefined && !isRecord(given) && typeof given !== 'string') return null
  return { name, arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) }
}

function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text)].flat()
  } catch {
    // Several objects, one a line.
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    return lines.length > 1 ? lines.flatMap(parsed) : []
  }
}

/**
 * The calls that a text consists of or ends with, and the text before them; null: it has none.
 * Only calls of functions with one of these names are understood.
 */
export function callsInText(text: string, names: ReadonlySet<string>): { calls: WrittenCall[]; text: string } | null {
  const found = [...matches(text, names)].toSorted((a, b) => a.at - b.at)
  const last = found.at(-1)
  // What is explained after it is an answer that shows a call.
  if (!last || text.slice(last.end).trim() !== '') return null
  return { calls: found.flatMap(({ calls }) => calls), text: text.slice(0, found[0]?.at).trim() }
}

type Match = { at: number; end: number; calls: WrittenCall[] }

function* matches(text: string, names: ReadonlySet<string>): Generator<Match> {
  for (const pattern of WRITTEN) {
    for (const match of text.matchAll(pattern)) {
      const calls = parsed(match[1] ?? '').flatMap((value) => callIn(value, names) ?? [])
      if (calls.length > 0) yield { at: match.index, end: match.index + match[0].length, calls }
    }
    // One form at a time: a fence inside of a tag is the same call.
  }
  for (const match of text.matchAll(NAMED)) {
    const [whole, name = '', args = '{}'] = match
    if (names.has(name)) yield { at: match.index, end: match.index + whole.length, calls: [{ name, arguments: args }] }
  }
  const bare = text.trim()
  if (/^[[{]/.test(bare)) {
    const values = parsed(bare)
    const calls = values.flatMap((value) => callIn(value, names) ?? [])
    if (calls.length > 0 && calls.length === values.length) yield { at: 0, end: text.length, calls }
  }
}

/** A reply whose calls are in its text, with the calls where they belong; the same reply otherwise. */
export function withCallsOfText(message: UnknownRecord, text: string, names: ReadonlySet<string>): UnknownRecord {
  if (recordsIn(message.tool_calls).length > 0) return message
  const found = callsInText(text, names)
  if (!found) return message
  const calls = [...new Map(found.calls.map((call) => [`${call.name} ${call.arguments}`, call])).values()]
  return {
    ...message,
    content: found.text === '' ? null : found.text,
    tool_calls: calls.map((call) => ({ type: 'function', function: call })),
  }
}
