import { invalidRequest } from '../../../errors'
import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { BodyPath, CompletionBody } from '../../completion'
import { joinTextParts, partsToChat } from './parts-to-chat'
import { isThinking, thinkingToChat } from './reasoning'
import { toolsToChat } from './tools'

/** Output tokens of thinking up to which the effort is low, and up to which it is medium. */
const BUDGETS = { low: 4_096, medium: 16_384 }

/**
 * A messages body in chat form. Left out, because chat has no place for it: `top_k`,
 * `metadata.user_id`, cache marks, `context_management`, `citations`, and thinking that is adaptive
 * (a model decides for itself). Throws `invalid_request` for what the answer would be wrong
 * without.
 */
export function messagesBodyToChat(body: CompletionBody): CompletionBody {
  const { model, max_tokens: limit, temperature, top_p: topP, stop_sequences: stop } = body
  const system = systemText(body.system)
  return {
    model,
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system }]),
      ...recordsIn(body.messages).flatMap((message, i) => messageToChat(message, ['messages', i, 'content'])),
    ],
    ...(limit != null && { max_completion_tokens: limit }),
    ...(temperature != null && { temperature }),
    ...(topP != null && { top_p: topP }),
    ...(Array.isArray(stop) && stop.length > 0 && { stop }),
    ...(body.stream === true && { stream: true }),
    ...toolsToChat(body),
    ...formatToChat(body),
    ...effortToChat(body),
  }
}

const systemText = (system: unknown): string =>
  typeof system === 'string'
    ? system
    : recordsIn(system)
        .map(({ text }) => text)
        .join('\n\n')

function messageToChat({ role, content }: UnknownRecord, path: BodyPath): UnknownRecord[] {
  if (typeof content === 'string') return [{ role, content }]
  const blocks = recordsIn(content)
  if (role === 'assistant') return [assistantToChat(blocks, path)]
  if (role === 'system') return [{ role, content: systemText(blocks) }]
  return userToChat(blocks, path)
}

function assistantToChat(blocks: readonly UnknownRecord[], path: BodyPath): UnknownRecord {
  const calls = blocks.filter(({ type }) => type === 'tool_use')
  const others = blocks.filter((block) => block.type !== 'tool_use' && !isThinking(block))
  const text = joinTextParts(others.flatMap((block) => partsToChat(block, [...path, blocks.indexOf(block)])))
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...thinkingToChat(blocks.filter(isThinking)),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(input ?? {}) },
      })),
    }),
  }
}

/** A user's message as several: chat has a message per tool result, and images only beside text. */
function userToChat(blocks: readonly UnknownRecord[], path: BodyPath): UnknownRecord[] {
  const results: UnknownRecord[] = []
  const shown: UnknownRecord[] = []
  for (const [i, block] of blocks.entries()) {
    const at = [...path, i]
    if (block.type !== 'tool_result') {
      shown.push(...partsToChat(block, at))
      continue
    }
    const { message, images } = resultToChat(block, at)
    results.push(message)
    shown.push(...images)
  }
  if (shown.length === 0) return results.length > 0 ? results : [{ role: 'user', content: '' }]
  const [first, ...more] = shown
  const content = more.length === 0 && first?.type === 'text' ? first.text : shown
  return [...results, { role: 'user', content }]
}

function resultToChat(block: UnknownRecord, path: BodyPath): { message: UnknownRecord; images: UnknownRecord[] } {
  const { tool_use_id: id, content, is_error: isError } = block
  const parts =
    typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : recordsIn(content).flatMap((each, i) => partsToChat(each, [...path, 'content', i]))
  const images = parts.filter(({ type }) => type !== 'text')
  const text = joinTextParts(parts.filter(({ type }) => type === 'text'))
  const said = text === '' && images.length > 0 ? 'The result is shown below.' : text
  return {
    message: { role: 'tool', tool_call_id: id, content: isError === true ? `Error: ${said}` : said },
    images: images.length > 0 ? [{ type: 'text', text: `The result of ${String(id)}:` }, ...images] : [],
  }
}

/** The form of the answer; its field has been in two places. */
function formatToChat({ output_config: config, output_format: earlier }: CompletionBody): CompletionBody {
  const format = isRecord(config) && isRecord(config.format) ? config.format : earlier
  if (!isRecord(format)) return {}
  if (format.type !== 'json_schema')
    throw invalidRequest([{ path: ['output_config', 'format', 'type'], message: 'must be json_schema' }])
  return {
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: format.schema, strict: true } },
  }
}

/** `high` is the effort of a request that names none. */
const EFFORTS: Record<string, string> = { low: 'low', medium: 'medium', xhigh: 'high', max: 'high' }

function effortToChat({ thinking, output_config: config }: CompletionBody): CompletionBody {
  const budget = isRecord(thinking) && thinking.type === 'enabled' ? Number(thinking.budget_tokens) : null
  const named = isRecord(config) ? EFFORTS[String(config.effort)] : undefined
  if (budget === null || isRecord(thinking) === false)
    return named && !isDisabled(thinking) ? { reasoning_effort: named } : {}
  return { reasoning_effort: budget <= BUDGETS.low ? 'low' : budget <= BUDGETS.medium ? 'medium' : 'high' }
}

const isDisabled = (thinking: unknown) => isRecord(thinking) && thinking.type === 'disabled'
