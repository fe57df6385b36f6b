import { invalidRequest } from '../../../errors'
import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { CompletionBody } from '../../completion'
import { itemsFromChat } from './items-from-chat'

/** Fields that mean the same in both. */
const SAME = [
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'top_k',
  'user',
  'metadata',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
  'top_logprobs',
] as const

/** Fields that change the answer, and that this wire has nothing like. */
const NOT_CARRIED = ['stop', 'logit_bias', 'prediction', 'functions', 'function_call'] as const

function toolFromChat(tool: UnknownRecord, index: number): UnknownRecord {
  const { type, function: described, custom } = tool
  if (type === 'function' && isRecord(described)) {
    const { name, description, parameters, strict } = described
    return {
      type,
      name,
      ...(description != null && { description }),
      parameters: parameters ?? { type: 'object', properties: {} },
      // Here a tool is strict unless it says otherwise.
      strict: strict === true,
    }
  }
  if (type === 'custom' && isRecord(custom)) {
    const { format, ...rest } = custom
    const grammar = isRecord(format) && isRecord(format.grammar) ? { type: 'grammar', ...format.grammar } : format
    return { type, ...rest, ...(grammar != null && { format: grammar }) }
  }
  throw invalidRequest([{ path: ['tools', index, 'type'], message: 'must be function or custom for this model' }])
}

/** A tool that a choice names: flat here. */
function namedFromChat({ type, function: called, custom }: UnknownRecord): UnknownRecord {
  const named = isRecord(called) ? called : custom
  return { type, name: isRecord(named) ? named.name : undefined }
}

function choiceFromChat(choice: unknown): unknown {
  if (!isRecord(choice)) return choice
  if (choice.type !== 'allowed_tools') return namedFromChat(choice)
  const { mode, tools } = isRecord(choice.allowed_tools) ? choice.allowed_tools : choice
  return { type: 'allowed_tools', mode, tools: recordsIn(tools).map(namedFromChat) }
}

function toolFields({ tools, tool_choice: choice, parallel_tool_calls: isParallel }: CompletionBody): CompletionBody {
  if (recordsIn(tools).length === 0) return {}
  return {
    tools: recordsIn(tools).map(toolFromChat),
    ...(choice != null && { tool_choice: choiceFromChat(choice) }),
    ...(isParallel != null && { parallel_tool_calls: isParallel }),
  }
}

function textFields({ response_format: format, verbosity }: CompletionBody): CompletionBody {
  const { type, json_schema: schema } = isRecord(format) ? format : {}
  const written =
    type === 'json_schema' && isRecord(schema) ? { type, ...schema } : type === undefined ? null : { type }
  if (written === null && verbosity == null) return {}
  return { text: { ...(written && { format: written }), ...(verbosity != null && { verbosity }) } }
}

function reasoningFields({ reasoning_effort, reasoning }: CompletionBody): CompletionBody {
  const effort = reasoning_effort ?? (isRecord(reasoning) ? reasoning.effort : undefined)
  return effort == null ? {} : { reasoning: { effort } }
}

/** Empty lists and objects, and 0, ask for nothing. */
const asksForNothing = (value: unknown): boolean =>
  value == null || value === 0 || (typeof value === 'object' && Object.keys(value).length === 0)

/**
 * A chat body in this wire. Left out is what has no meaning here: `seed`, `stream_options`, and
 * fields that we do not know. Throws `invalid_request` for what would change the answer and cannot
 * be carried.
 */
export function responsesFromChat(body: CompletionBody): CompletionBody {
  const refused = NOT_CARRIED.filter((field) => !asksForNothing(body[field]))
  if (typeof body.n === 'number' && body.n > 1) refused.push('n' as never)
  if (refused.length > 0) {
    const message = 'cannot be sent to this model, whose provider has the responses API'
    throw invalidRequest(refused.map((field) => ({ path: [field], message })))
  }
  const limit = body.max_completion_tokens ?? body.max_tokens
  return {
    model: body.model,
    input: itemsFromChat(body),
    ...Object.fromEntries(SAME.flatMap((name) => (asksForNothing(body[name]) ? [] : [[name, body[name]]]))),
    // Zero is a temperature like others.
    ...(body.temperature === 0 && { temperature: 0 }),
    ...(limit != null && { max_output_tokens: limit }),
    ...(body.logprobs === true && { include: ['message.output_text.logprobs'] }),
    ...textFields(body),
    ...reasoningFields(body),
    ...toolFields(body),
  }
}
