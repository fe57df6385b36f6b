import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'
import { messageText } from '../script/script'

/** A call as the messages of a request show it, with its result. */
export type ShownCall = { name: string; args: UnknownRecord; text: string; failed: boolean }

function parseArguments(text: unknown): UnknownRecord {
  try {
    const value: unknown = JSON.parse(String(text))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** Every call in these messages of a chat request; the text is empty where no result has come. */
export function shownCalls(messages: readonly UnknownRecord[]): ShownCall[] {
  const results = messages.filter(({ role }) => role === 'tool')
  return messages.flatMap(({ tool_calls: calls }) =>
    recordsIn(calls).flatMap(({ id, function: called }) => {
      if (!isRecord(called)) return []
      const result = results.find((message) => message.tool_call_id === id)
      const text = result ? messageText(result) : ''
      return [
        { name: String(called.name), args: parseArguments(called.arguments), text, failed: text.startsWith('Error (') },
      ]
    }),
  )
}
