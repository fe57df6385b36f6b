import { isRecord, recordsIn, type UnknownRecord } from '../../../server/kit/record'

/** A call of the turn in progress, with its result as the messages of a request show it. */
export type ShownCall = { name: string; args: UnknownRecord; text: string; failed: boolean }

/** What a model is shown in one request: all that a scripted model may know. */
export type ShownConversation = {
  system: string
  /** The last goal that was found among the messages of the person. */
  goal: string
  /** Parameters of the tools that it may call, by name. */
  offered: ReadonlyMap<string, UnknownRecord>
  calls: ShownCall[]
  /** What it wrote since the last result without calling a tool: an answer that was cut. */
  unfinished: string
  /** Every message but those of the system, as text. */
  text: string
  /** Assistant messages of the turn with calls, as they came back. */
  returned: UnknownRecord[]
}

/** A message's text: its content, or the texts of its parts. */
const contentOf = ({ content }: UnknownRecord): string =>
  typeof content === 'string'
    ? content
    : recordsIn(content)
        .map(({ text }) => (typeof text === 'string' ? text : ''))
        .join('')

const isSystem = ({ role }: UnknownRecord) => role === 'system' || role === 'developer'

function parseArguments(text: unknown): UnknownRecord {
  try {
    const value: unknown = JSON.parse(String(text))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function callsIn(messages: readonly UnknownRecord[]): ShownCall[] {
  const results = messages.filter(({ role }) => role === 'tool')
  return messages.flatMap(({ tool_calls: calls }) =>
    recordsIn(calls).flatMap(({ id, function: called }) => {
      if (!isRecord(called)) return []
      const result = results.find((message) => message.tool_call_id === id)
      const text = result ? contentOf(result) : ''
      const failed = text.startsWith('Error (')
      return [{ name: String(called.name), args: parseArguments(called.arguments), text, failed }]
    }),
  )
}

/** What the model has written after the last result, as one text. */
function unfinishedIn(messages: readonly UnknownRecord[]): string {
  const last = messages.findLastIndex(({ role, tool_calls: calls }) => role === 'tool' || Array.isArray(calls))
  return messages
    .slice(last + 1)
    .filter(({ role }) => role === 'assistant')
    .map(contentOf)
    .join('')
}

/** Reads a chat request; `goals` are the texts that a person may have sent. */
export function readConversation(body: UnknownRecord, goals: ReadonlySet<string>): ShownConversation | null {
  const messages = recordsIn(body.messages)
  const goalIn = (message: UnknownRecord) =>
    message.role === 'user' ? [...goals].find((goal) => contentOf(message).includes(goal)) : undefined
  const at = messages.findLastIndex((message) => goalIn(message) !== undefined)
  const goal = goalIn(messages[at] ?? {})
  if (goal === undefined) return null
  const turn = messages.slice(at + 1)
  return {
    system: messages.filter(isSystem).map(contentOf).join('\n\n'),
    goal,
    offered: new Map(
      recordsIn(body.tools).flatMap(({ function: tool }): [string, UnknownRecord][] =>
        isRecord(tool) ? [[String(tool.name), isRecord(tool.parameters) ? tool.parameters : {}]] : [],
      ),
    ),
    calls: callsIn(turn),
    unfinished: unfinishedIn(turn),
    text: messages
      .filter((message) => !isSystem(message))
      .map(contentOf)
      .join('\n'),
    returned: turn.filter(({ role, tool_calls: calls }) => role === 'assistant' && Array.isArray(calls)),
  }
}
