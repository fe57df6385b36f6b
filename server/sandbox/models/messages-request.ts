import { hash } from 'node:crypto'
import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'
import { estimatePrompt } from '../../models/wires/prompt'
import names from './names.json'

/** The signature of a thought: the sandbox checks that it gets back what it has signed. */
export const signatureOf = (thinking: string): string => `sandbox${hash('sha256', thinking, 'base64')}`

/** Throws Error for what the API refuses. */
function refuse(isWrong: boolean, what: string): void {
  if (isWrong) throw new Error(what)
}

/** A block as a part of a chat message; null: it has no text. */
function partOf(block: UnknownRecord): UnknownRecord | null {
  const { type, text, content, title, source } = block
  if (type === 'text') {
    refuse(typeof text !== 'string' || text.trim() === '', 'messages: text content blocks must be non-empty')
    return { type, text }
  }
  if (type === 'image') return { type: 'image_url', image_url: { url: 'an image' } }
  if (type === 'document') {
    const { data, content: inside } = isRecord(source) ? source : {}
    const text = typeof inside === 'string' ? inside : String(data ?? '').slice(0, 2_000)
    return { type: 'text', text: `${String(title ?? '')} ${text}` }
  }
  if (type === 'tool_result') return { type: 'text', text: typeof content === 'string' ? content : textIn(content) }
  return null
}

const textIn = (content: unknown): string =>
  recordsIn(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('')

function checkThinking({ type, thinking, signature }: UnknownRecord): void {
  const isWrong = type === 'thinking' && signature !== signatureOf(String(thinking))
  refuse(isWrong, 'messages: Invalid `signature` in `thinking` block')
}

/** A message as chat messages: each tool result is one. */
function chatMessages({ role, content }: UnknownRecord): UnknownRecord[] {
  if (typeof content === 'string') return [{ role, content }]
  const blocks = recordsIn(content)
  blocks.forEach(checkThinking)
  const results = blocks.filter(({ type }) => type === 'tool_result')
  const others = blocks.filter(({ type }) => type !== 'tool_result')
  const images = results.flatMap(({ content: inside }) => recordsIn(inside).filter(({ type }) => type === 'image'))
  const calls = others.filter(({ type }) => type === 'tool_use')
  const parts = [...images, ...others].flatMap((block) => partOf(block) ?? [])
  const answerOf = (block: UnknownRecord) => ({ tool_call_id: block.tool_use_id, content: partOf(block)?.text })
  const answers = results.map((block) => ({ role: 'tool', ...answerOf(block) }))
  if (parts.length === 0 && calls.length === 0 && results.length > 0) return answers
  const toCall = ({ id, name, input }: UnknownRecord) => ({ id, function: { name, arguments: JSON.stringify(input) } })
  return [...answers, { role, content: parts, ...(calls.length > 0 && { tool_calls: calls.map(toCall) }) }]
}

/** Each call must be answered in the message that follows it. */
function checkCalls(messages: readonly UnknownRecord[]): void {
  const idsIn = (message: UnknownRecord | undefined, type: string, field: string) =>
    recordsIn(message?.content)
      .filter((block) => block.type === type)
      .map((block) => block[field])
  for (const [i, message] of messages.entries()) {
    const called = idsIn(message, 'tool_use', 'id')
    const answered = new Set(idsIn(messages[i + 1], 'tool_result', 'tool_use_id'))
    const isOpen = i + 1 < messages.length && called.some((id) => !answered.has(id))
    refuse(isOpen, `messages.${i}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after`)
  }
}

const CHOICES: Record<string, string> = names.toolChoices

/** A request of the messages API in chat form. Throws Error for what the API refuses with 400. */
export function messagesChatForm(asked: UnknownRecord): UnknownRecord {
  const { max_tokens: limit, system, tool_choice: choice, output_config: config, thinking } = asked
  refuse(typeof limit !== 'number', 'max_tokens: Field required')
  const messages = recordsIn(asked.messages)
  checkCalls(messages.filter(({ role }) => role !== 'system'))
  const budget = isRecord(thinking) && thinking.type === 'enabled' ? Number(thinking.budget_tokens) : 0
  refuse(budget >= Number(limit), '`max_tokens` must be greater than `thinking.budget_tokens`')
  const tools = recordsIn(asked.tools)
  const calls = messages.flatMap(({ content }) => recordsIn(content)).filter(({ type }) => type === 'tool_use')
  const isWrong = tools.length === 0 && calls.length > 0
  refuse(isWrong, 'Requests which include `tool_use` or `tool_result` blocks must define tools')
  const format = isRecord(config) && isRecord(config.format) ? config.format : asked.output_format
  return {
    model: asked.model,
    messages: [
      ...(system ? [{ role: 'system', content: typeof system === 'string' ? system : textIn(system) }] : []),
      ...messages.flatMap(chatMessages),
    ],
    max_tokens: limit,
    ...(Array.isArray(asked.stop_sequences) && { stop: asked.stop_sequences }),
    ...(tools.length > 0 && { tools: tools.map(toFunction) }),
    ...(isRecord(choice) && {
      tool_choice: CHOICES[String(choice.type)] ?? { type: 'function', function: { name: choice.name } },
    }),
    ...(isRecord(format) && { response_format: { type: 'json_schema', json_schema: { schema: format.schema } } }),
  }
}

const toFunction = ({ name, description, input_schema: parameters }: UnknownRecord) => ({
  type: 'function',
  function: { name, description, parameters },
})

/** The prompt's tokens, as a model without images counts them. */
export async function countMessageTokens(req: Request): Promise<Response> {
  const asked = { max_tokens: 1, ...((await req.json()) as UnknownRecord) }
  return Response.json({ input_tokens: await estimatePrompt(messagesChatForm(asked), { contextSize: 0 }) })
}
