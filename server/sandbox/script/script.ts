/**
 * The sandbox model's script language. Any message may hold `[[sandbox {…}]]`, JSON in double
 * square brackets; of several messages the last one with a script counts. Without one the model
 * answers as talk/reply.ts says. A script is an object; every field is optional:
 *
 *   What it says
 *     text               the answer; "{{last}}" in it is the text of the last message, such
 *                        as a tool's result
 *     reasoning          text of the `reasoning` field, sent before the answer
 *     toolCalls          [{name, arguments?, id?}]; arguments left out are made up to fit the
 *                        tool's schema; "{{count}}" in them is another number in every call
 *     finishReason       instead of stop, length or tool_calls
 *   How a stream goes
 *     delayMs            wait before the first byte
 *     chunks             number of pieces the text comes in (default: one per word)
 *     chunkDelayMs       wait before each further piece
 *     usageDelayMs       wait before the usage, after the last text
 *     noDone             ends without [DONE]; in the Responses API without the last event
 *     comments           sends a comment line before every piece
 *   What goes wrong
 *     status             answers this HTTP status with an error body; `message`, `code`, `param`,
 *                        `retryAfterS` go with it
 *     failTimes          with status: only the first N identical requests fail, the next one is
 *                        answered
 *     errorBody200       status 200 with an error body; in a stream the first event is the error
 *     hang               takes the request and never answers
 *     hangAfterChunks    stops talking after N pieces, the connection stays
 *     failAfterChunks    an error event after N pieces
 *     cutAfterChunks     the connection breaks after N pieces
 *     garbageAfterChunks a piece that is not JSON after N pieces
 *     stopAfterTextBeforeUsage all text and the finish reason come, then nothing more, the
 *                        connection stays
 *     usage              "none", "negative", "string", "float", "zero", "x10", or an object to send
 *                        as it is
 *   Which answer when
 *     turns              a list of scripts: the answer to the n-th step takes the n-th (the last
 *                        one repeats). A step is
 *                        counted by the assistant messages that follow the message with the script
 *     cases              [{system?, tool?, …script}]: the first one whose `system` occurs in a
 *                        system or developer
 *                        message, and whose `tool` is among the tools offered, is used instead of
 *                        the rest
 *   Fields beside `turns` or `cases` hold for each of them unless it says otherwise.
 */
import { z } from 'zod'
import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'

const count = z.int().min(0).max(100_000)
const wait = z.number().min(0).max(600_000)

const Fields = z
  .strictObject({
    text: z.string(),
    reasoning: z.string(),
    toolCalls: z.array(
      z.strictObject({
        name: z.string(),
        arguments: z.union([z.record(z.string(), z.unknown()), z.string()]).optional(),
        id: z.string().optional(),
      }),
    ),
    finishReason: z.string(),
    delayMs: wait,
    chunks: count.min(1),
    chunkDelayMs: wait,
    usageDelayMs: wait,
    noDone: z.boolean(),
    comments: z.boolean(),
    status: z.int().min(200).max(599),
    message: z.string(),
    code: z.union([z.string(), z.number()]),
    param: z.string(),
    retryAfterS: z.union([z.number(), z.string()]),
    failTimes: count,
    errorBody200: z.boolean(),
    hang: z.boolean(),
    hangAfterChunks: count,
    failAfterChunks: count,
    cutAfterChunks: count,
    garbageAfterChunks: count,
    stopAfterTextBeforeUsage: z.boolean(),
    usage: z.union([z.enum(['none', 'negative', 'string', 'float', 'zero', 'x10']), z.record(z.string(), z.unknown())]),
  })
  .partial()

/** What one answer is to be like. */
export type ScriptStep = z.infer<typeof Fields>

const Script = Fields.extend({
  turns: z.array(Fields).min(1).optional(),
  cases: z
    .array(
      Fields.extend({
        system: z.string().optional(),
        tool: z.string().optional(),
        turns: z.array(Fields).min(1).optional(),
      }),
    )
    .optional(),
})

/** A message's text: its content, or the text of its parts. */
export const messageText = ({ content }: UnknownRecord): string =>
  typeof content === 'string'
    ? content
    : recordsIn(content)
        .map(({ text }) => (typeof text === 'string' ? text : ''))
        .join('')

/** What the service adds to the end of an agent's prompts: when it is, and what is left. */
const NOTES = /\n\n(\[From the service: [\s\S]*?\]\n)?\[Credits left: [^[\]]*\]/g

export const withoutNotes = (text: string): string => text.replaceAll(NOTES, '')

/** Messages without those notes. */
export const messagesWithoutNotes = (messages: UnknownRecord[]): UnknownRecord[] =>
  messages.map((message) =>
    typeof message.content === 'string' ? { ...message, content: withoutNotes(message.content) } : message,
  )

const MARK = '[[sandbox'

/** Where the JSON that starts at the first brace from `from` ends, or -1. */
function endOfJson(text: string, from: number): number {
  let depth = 0
  let isText = false
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (isText) {
      if (char === '\\') at++
      else if (char === '"') isText = false
    } else if (char === '"') isText = true
    else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1
  }
  return -1
}

/** A text without its script, and the script's JSON. Throws Error for one that cannot be read. */
export function splitScript(text: string): { rest: string; json: string | null } {
  const start = text.indexOf(MARK)
  if (start < 0) return { rest: text, json: null }
  const from = text.indexOf('{', start)
  const end = from < 0 ? -1 : endOfJson(text, from)
  const close = end < 0 ? -1 : text.indexOf(']]', end)
  if (close < 0) throw new Error('the [[sandbox {…}]] script has no end')
  return { rest: text.slice(0, start) + text.slice(close + 2), json: text.slice(from, end) }
}

/**
 * What the script in a request's messages says about its next answer; null without a script.
 * Throws Error for a bad one.
 */
export function scriptedStep(body: UnknownRecord): ScriptStep | null {
  const messages = recordsIn(body.messages)
  const at = messages.findLastIndex((message) => messageText(message).includes(MARK))
  const json = at < 0 ? null : splitScript(messageText(messages[at] ?? {})).json
  if (json === null) return null
  const { cases = [], turns, ...base } = Script.parse(JSON.parse(json))
  const index = messages.slice(at + 1).filter(({ role }) => role === 'assistant').length
  const hit = cases.find(({ system, tool }) => isSystem(messages, system) && isOffered(body, tool))
  const { system: _system, tool: _tool, turns: own, ...given } = hit ?? { turns }
  const list = own ?? []
  return { ...base, ...given, ...(list[index] ?? list.at(-1)) }
}

const isSystem = (messages: UnknownRecord[], text: string | undefined) =>
  text === undefined ||
  messages.some(
    (m) => (m.role === 'system' || m.role === 'developer') && splitScript(messageText(m)).rest.includes(text),
  )

const isOffered = (body: UnknownRecord, name: string | undefined) =>
  name === undefined || recordsIn(body.tools).some((tool) => isRecord(tool.function) && tool.function.name === name)
