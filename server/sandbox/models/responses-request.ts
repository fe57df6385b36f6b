import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'

/** A tool of the Responses API, and the namespace it is in. */
export type OfferedTool = { tool: UnknownRecord; namespace?: unknown }

/** Every tool that is offered, those in namespaces too. */
export const offeredTools = ({ tools }: UnknownRecord): OfferedTool[] =>
  recordsIn(tools).flatMap((tool) =>
    tool.type === 'namespace'
      ? recordsIn(tool.tools).map((inner) => ({ tool: inner, namespace: tool.name }))
      : [{ tool }],
  )

/** The name by which a tool is called; the shell has none of its own. */
export const toolName = ({ type, name }: UnknownRecord): unknown => (type === 'local_shell' ? 'local_shell' : name)

const CALL = /^(function_call|custom_tool_call|local_shell_call)$/
const RESULT = /^(function_call|custom_tool_call|local_shell_call)_output$/

function partInChatForm(part: UnknownRecord): UnknownRecord {
  if (part.type === 'input_image') return { type: 'image_url', image_url: { url: part.image_url } }
  return { type: 'text', text: part.text ?? part.refusal ?? '' }
}

const contentInChatForm = (content: unknown): unknown =>
  Array.isArray(content) ? recordsIn(content).map(partInChatForm) : content

function messageOf(item: UnknownRecord): UnknownRecord {
  const type = String(item.type ?? 'message')
  if (RESULT.test(type)) return { role: 'tool', tool_call_id: item.call_id, content: contentInChatForm(item.output) }
  if (CALL.test(type)) {
    const args = item.arguments ?? item.input ?? JSON.stringify(item.action)
    return {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: item.call_id, function: { name: item.name, arguments: args } }],
    }
  }
  if (type === 'reasoning') return { role: 'assistant', content: null }
  return { role: item.role, content: contentInChatForm(item.content) }
}

/** Everything that one answer brought is one message of the assistant. */
function joined(messages: UnknownRecord[]): UnknownRecord[] {
  const kept: UnknownRecord[] = []
  for (const message of messages) {
    const last = kept.at(-1)
    if (last?.role !== 'assistant' || message.role !== 'assistant') kept.push({ ...message })
    else {
      last.content ??= message.content
      last.tool_calls = [...recordsIn(last.tool_calls), ...recordsIn(message.tool_calls)]
    }
  }
  return kept
}

function formatInChatForm(text: unknown): UnknownRecord {
  if (!isRecord(text) || !isRecord(text.format)) return {}
  const { type, ...schema } = text.format
  return { response_format: { type, json_schema: schema } }
}

/** Throws for reasoning that nobody has kept, as the real API does. */
function checkReasoning(items: readonly UnknownRecord[]): void {
  const lost = items.find(({ type, encrypted_content: content }) => type === 'reasoning' && !content)
  if (lost) throw new Error(`Item with id '${String(lost.id)}' not found. Items are not persisted.`)
}

/** A request of the Responses API as the chat completion it amounts to. */
export function responsesInChatForm(asked: UnknownRecord): UnknownRecord {
  const { input, instructions, tool_choice: choice, max_output_tokens: limit, model } = asked
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : recordsIn(input)
  checkReasoning(items)
  const system = typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : []
  return {
    model,
    messages: joined([...system, ...items.map(messageOf)]),
    tools: offeredTools(asked).map(({ tool }) => ({
      type: 'function',
      function: { name: toolName(tool), parameters: tool.parameters ?? {} },
    })),
    ...(choice != null && { tool_choice: isRecord(choice) ? { function: { name: toolName(choice) } } : choice }),
    ...(limit != null && { max_completion_tokens: limit }),
    ...formatInChatForm(asked.text),
  }
}
