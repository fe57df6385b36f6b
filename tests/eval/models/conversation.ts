import { isRecord, recordsIn, type UnknownRecord } from '../../../server/kit/record'
import { type ShownCall, shownCalls } from '../../../server/sandbox/player/calls'
import { messageText } from '../../../server/sandbox/script/script'

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

const isSystem = ({ role }: UnknownRecord) => role === 'system' || role === 'developer'

/** What the model has written after the last result, as one text. */
function unfinishedIn(messages: readonly UnknownRecord[]): string {
  const last = messages.findLastIndex(({ role, tool_calls: calls }) => role === 'tool' || Array.isArray(calls))
  return messages
    .slice(last + 1)
    .filter(({ role }) => role === 'assistant')
    .map(messageText)
    .join('')
}

/** Reads a chat request; `goals` are the texts that a person may have sent. */
export function readConversation(body: UnknownRecord, goals: ReadonlySet<string>): ShownConversation | null {
  const messages = recordsIn(body.messages)
  const goalIn = (message: UnknownRecord) =>
    message.role === 'user' ? [...goals].find((goal) => messageText(message).includes(goal)) : undefined
  const at = messages.findLastIndex((message) => goalIn(message) !== undefined)
  const goal = goalIn(messages[at] ?? {})
  if (goal === undefined) return null
  const turn = messages.slice(at + 1)
  return {
    system: messages.filter(isSystem).map(messageText).join('\n\n'),
    goal,
    offered: new Map(
      recordsIn(body.tools).flatMap(({ function: tool }): [string, UnknownRecord][] =>
        isRecord(tool) ? [[String(tool.name), isRecord(tool.parameters) ? tool.parameters : {}]] : [],
      ),
    ),
    calls: shownCalls(turn),
    unfinished: unfinishedIn(turn),
    text: messages
      .filter((message) => !isSystem(message))
      .map(messageText)
      .join('\n'),
    returned: turn.filter(({ role, tool_calls: calls }) => role === 'assistant' && Array.isArray(calls)),
  }
}
