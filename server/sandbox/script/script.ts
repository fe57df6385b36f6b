/** The script language of the sandbox's models: README.md says what each field does. */
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

const Turns = Fields.extend({ turns: z.array(Fields).min(1).optional() })
const Case = Turns.extend({ system: z.string().optional(), tool: z.string().optional() })
const Script = Turns.extend({ cases: z.array(Case).optional() })

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

/** The script's next answer; null without a script. Throws Error for a bad one. */
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
