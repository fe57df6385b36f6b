import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'
import { parseJson } from '../kit/text'
import { messageText, splitScript, withoutNotes } from '../script/script'
import { resultValue, rowText, shownCalls } from './calls'

/** What the player is shown in one request: all that it knows. */
export type PlayerView = NonNullable<ReturnType<typeof readPlayerView>>

const NOTE = /\[Credits left: ([\d,]{1,20})[^[\]]*\]/
/** Messages in the person's place that the service wrote. */
const BY_SERVICE = /^(Your (message|call|answer) (was|of|does) |Summary of what happened so far)/
const SUMMARY = 'Summary of what happened so far'
const SCHEMA_LEAD = 'conforms to this JSON Schema'

/** The goal in a message, without a script; null: the service wrote it. */
function goalIn(message: UnknownRecord): string | null {
  if (message.role !== 'user') return null
  const text = withoutNotes(messageText(message)).trim()
  return text === '' || BY_SERVICE.test(text) ? null : splitScript(text).rest.trim()
}

function schemaIn(system: string): UnknownRecord | null {
  const at = system.indexOf(SCHEMA_LEAD)
  const line = at < 0 ? undefined : system.slice(system.indexOf('\n', at) + 1).split('\n', 1)[0]
  const schema = parseJson(line)
  return isRecord(schema) ? schema : null
}

/** What was written after the last result without a call. */
function begunIn(turn: readonly UnknownRecord[]): string {
  const last = turn.findLastIndex(({ role, tool_calls: calls }) => role === 'tool' || recordsIn(calls).length > 0)
  return turn
    .slice(last + 1)
    .filter(({ role }) => role === 'assistant')
    .map(messageText)
    .join('')
}

/** Reads an agent's request; null for any other. */
export function readPlayerView(body: UnknownRecord) {
  const messages = recordsIn(body.messages)
  const system = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(messageText)
    .join('\n\n')
  if (!/^You are an agent at work\b/.test(system)) return null
  const at = messages.findLastIndex((message) => goalIn(message) !== null)
  const texts = messages.map(messageText)
  const notes = [...(texts.findLast((text) => NOTE.test(text)) ?? '').matchAll(new RegExp(NOTE, 'g'))]
  const note = notes.at(-1)
  const turn = messages.slice(at + 1)
  const tools = recordsIn(body.tools).flatMap(({ function: tool }) => (isRecord(tool) ? String(tool.name) : []))
  return {
    system,
    // The one in progress is the last.
    goals: messages.flatMap((message) => goalIn(message) ?? []),
    // What may be called now.
    offered: new Set(body.tool_choice === 'none' ? [] : tools),
    // The calls of this turn, and those of the turns before.
    calls: shownCalls(turn),
    earlier: shownCalls(messages.slice(0, at + 1)),
    // What stands for steps of this conversation that are not shown.
    summary: texts.find((text) => text.startsWith(SUMMARY)) ?? null,
    creditsLeft: note?.[1] === undefined ? null : Number(note[1].replaceAll(',', '')),
    mustFinish: note?.[0].includes('Finish now') ?? false,
    schema: schemaIn(system),
    // What was written since the last result: an answer that was cut.
    begun: begunIn(turn),
  }
}

/** What a call of a tool costs by the prompt; null: it has no such tool, or no fixed price. */
export function priceIn({ system }: PlayerView, tool: string): number | null {
  const price = new RegExp(`[:,] ${tool} (\\d+)`).exec(system)
  return price ? Number(price[1]) : null
}

/** Whether a run has a tool, defined already or not. */
export const hasTool = ({ system, offered }: PlayerView, tool: string): boolean =>
  offered.has(tool) || new RegExp(`[:,] ${tool} [\\d~]`).test(system)

/** Whether the prompt gives a tool's parameters: it can be called before it is defined. */
export const isListed = ({ system, offered }: Pick<PlayerView, 'system' | 'offered'>, tool: string): boolean =>
  offered.has('tools_call') && new RegExp(`[:,] ${tool} [\\d~]+ \\{`).test(system)

/** What the person answered to questions, and what they wanted changed in plans, in their order. */
export function saidByPerson({ calls }: PlayerView): { answers: string[]; feedback: string[] } {
  const said = (tool: string, field: string) =>
    calls
      .filter(({ name }) => name === tool)
      .flatMap((call) => {
        const value = resultValue(call) ?? {}
        const text = rowText(value, field).trim()
        // What is said beside an approval changes nothing.
        return text === '' || value.approved === true ? [] : [text]
      })
  return { answers: said('ask_user', 'answer'), feedback: said('present_plan', 'feedback') }
}
