import { recordsIn, type UnknownRecord } from '../../../kit/record'
import type { BodyPath, CompletionBody } from '../../completion'
import { cannotCarry, contentToChat, isTextPart, textOfParts } from './content-to-chat'
import { reasoningToChat } from './reasoning'
import { chatNameOfCall } from './tool-names'

/** Messages in the making. */
type Draft = {
  messages: UnknownRecord[]
  /** The assistant's message to which further items belong; null: the next item begins one. */
  assistant: UnknownRecord | null
  /** Images and files of tool results, which chat takes from users alone. */
  media: UnknownRecord[]
}

/**
 * Items about tools that ran at a provider in an earlier turn, of which nothing is needed again,
 * and items that bring tools, which are among the request's.
 */
const IGNORED =
  /^((web_search|file_search|code_interpreter|image_generation|computer|mcp)_call|mcp_list_tools|additional_tools|tool_search_(call|output))$/

type AddItem = (draft: Draft, item: UnknownRecord, path: BodyPath) => void

const ADD: Record<string, AddItem> = {
  message: addMessage,
  reasoning: addReasoning,
  function_call: addCall,
  custom_tool_call: addCall,
  local_shell_call: addCall,
  function_call_output: addResult,
  custom_tool_call_output: addResult,
  local_shell_call_output: addResult,
}

/** The input of a body as chat messages. Throws `invalid_request` for what chat does not have. */
export function messagesToChat({ instructions, input }: CompletionBody): UnknownRecord[] {
  const draft: Draft = { messages: [], assistant: null, media: [] }
  if (typeof instructions === 'string' && instructions !== '') addSystem(draft, instructions)
  if (typeof input === 'string') draft.messages.push({ role: 'user', content: input })
  for (const [i, item] of recordsIn(input).entries()) addItem(draft, item, ['input', i])
  endAssistant(draft)
  endResults(draft)
  return draft.messages
}

function addItem(draft: Draft, item: UnknownRecord, path: BodyPath): void {
  const type = String(item.type ?? 'message')
  const add = ADD[type]
  if (add) add(draft, item, path)
  else if (!IGNORED.test(type)) throw cannotCarry([...path, 'type'], type)
}

function addMessage(draft: Draft, { role, content }: UnknownRecord, path: BodyPath): void {
  if (role === 'assistant') {
    addAnswer(draft, content)
    return
  }
  endAssistant(draft)
  endResults(draft)
  const read = contentToChat(content, [...path, 'content'])
  if (role === 'user') draft.messages.push({ role, content: read })
  else addSystem(draft, typeof read === 'string' ? read : textOfParts(read))
}

/** Many chat templates take one system message only: those in a row become one. */
function addSystem({ messages }: Draft, text: string): void {
  const last = messages.at(-1)
  if (last?.role === 'system') last.content = `${last.content}\n\n${text}`
  else messages.push({ role: 'system', content: text })
}

/** The assistant's message that further items belong to. */
function openAssistant(draft: Draft): UnknownRecord {
  endResults(draft)
  draft.assistant ??= { role: 'assistant', content: null }
  return draft.assistant
}

function addAnswer(draft: Draft, content: unknown): void {
  // Text after a text is a message of its own; calls must stay in one with what is around them.
  if (draft.assistant?.content != null && !draft.assistant.tool_calls) endAssistant(draft)
  const message = openAssistant(draft)
  const text = textOfParts(content)
  message.content = message.content == null ? text : `${message.content}\n\n${text}`
}

function addReasoning(draft: Draft, item: UnknownRecord): void {
  const { reasoning_details: details, ...texts } = reasoningToChat(item)
  const message = openAssistant(draft)
  for (const [field, text] of Object.entries(texts)) message[field] = `${message[field] ?? ''}${text}`
  if (details) message.reasoning_details = [...recordsIn(message.reasoning_details), ...recordsIn(details)]
}

function argumentsOf({ type, arguments: args, input, action }: UnknownRecord): string {
  if (type === 'custom_tool_call') return JSON.stringify({ input })
  return type === 'local_shell_call' ? JSON.stringify({ ...(action as object), type: undefined }) : String(args ?? '')
}

function addCall(draft: Draft, item: UnknownRecord): void {
  const message = openAssistant(draft)
  const made = { name: chatNameOfCall(item), arguments: argumentsOf(item) }
  message.tool_calls = [
    ...recordsIn(message.tool_calls),
    { id: item.call_id ?? item.id, type: 'function', function: made },
  ]
}

function addResult(draft: Draft, { call_id, id, output }: UnknownRecord, path: BodyPath): void {
  endAssistant(draft)
  const read = contentToChat(output, [...path, 'output'])
  const content = typeof read === 'string' ? read : textOfParts(read.filter(isTextPart))
  if (typeof read !== 'string') draft.media.push(...read.filter((part) => !isTextPart(part)))
  draft.messages.push({ role: 'tool', tool_call_id: call_id ?? id, content })
}

/** Ends the assistant's message; one that only thought is nothing that chat could carry. */
function endAssistant(draft: Draft): void {
  const { assistant, messages } = draft
  draft.assistant = null
  if (assistant && (assistant.content != null || assistant.tool_calls)) messages.push(assistant)
}

/** Ends a row of tool results: their images and files follow as a message of the user. */
function endResults(draft: Draft): void {
  if (draft.media.length > 0) draft.messages.push({ role: 'user', content: draft.media.splice(0) })
}
