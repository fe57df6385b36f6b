import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'

/** A call in a model's text: its server does not know the model's format of calls. */
type WrittenCall = { name: string; arguments: string }

/** The tags and fences that models write calls in, with their ends; null: the end of the text. */
const WRITTEN: readonly (readonly [open: string, close: string | null])[] = [
  ['<tool_call>', '</tool_call>'],
  ['<tool_calls>', '</tool_calls>'],
  ['<function_call>', '</function_call>'],
  ['<function_calls>', '</function_calls>'],
  ['[TOOL_CALLS]', null],
  ['<|python_tag|>', null],
  ['```json\n', '```'],
  ['```tool_call\n', '```'],
  ['```tool_code\n', '```'],
  ['```\n', '```'],
]
/** A form that names the function outside of its arguments. */
const NAMED = { open: '<function=', name: '>', close: '</function>' }

/** The call that a value describes, in one of the forms that models know; null: it is not one. */
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
 * The calls that a text consists of or ends with, and the text before them; null: there are none.
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

const callsOf = (inner: string, names: ReadonlySet<string>): WrittenCall[] =>
  parsed(inner.trim()).flatMap((value) => callIn(value, names) ?? [])

/** What is between two marks, each time that the first is there. */
function* between(
  text: string,
  open: string,
  close: string | null,
): Generator<{ at: number; end: number; inner: string }> {
  for (let at = text.indexOf(open); at >= 0; ) {
    const from = at + open.length
    const closed = close === null ? -1 : text.indexOf(close, from)
    const to = closed < 0 ? text.length : closed
    const end = closed < 0 ? to : closed + (close ?? '').length
    yield { at, end, inner: text.slice(from, to) }
    at = text.indexOf(open, end)
  }
}

function* matches(text: string, names: ReadonlySet<string>): Generator<Match> {
  for (const [open, close] of WRITTEN) {
    for (const { at, end, inner } of between(text, open, close)) {
      const calls = callsOf(inner, names)
      if (calls.length > 0) yield { at, end, calls }
    }
  }
  for (const { at, end, inner } of between(text, NAMED.open, NAMED.close)) {
    const name = inner.slice(0, Math.max(0, inner.indexOf(NAMED.name)))
    const args = inner.slice(name.length + 1).trim()
    if (names.has(name)) yield { at, end, calls: [{ name, arguments: args }] }
  }
  const bare = text.trim()
  if (!bare.startsWith('{') && !bare.startsWith('[')) return
  const calls = callsOf(bare, names)
  if (calls.length > 0 && calls.length === parsed(bare).length) yield { at: 0, end: text.length, calls }
}

/** A reply whose calls are in its text, with them where they belong; else the reply as it is. */
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
