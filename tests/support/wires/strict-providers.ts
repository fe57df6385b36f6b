import { isRecord, recordsIn } from '../../../server/kit/record'
import type { JsonObject } from './scene'

/**
 * What a provider refuses, and where its documentation says so. Null: it does not refuse a request.
 */
export type Rule = { source: string; wrong: (asked: JsonObject) => string | null }

/** A model of a provider, by its name there, and the rules of its API. */
export type StrictProvider = { api: 'chat' | 'responses' | 'messages'; model: string; rules: readonly Rule[] }

const OPENAI = 'https://platform.openai.com/docs'
const ANTHROPIC = 'https://docs.anthropic.com/en'

const rule = (source: string, wrong: Rule['wrong']): Rule => ({ source, wrong })

/** Any field outside these is refused by its name. */
const only = (source: string, fields: string): Rule => {
  const known = new Set(fields.split(' '))
  return rule(source, (asked) => {
    const unknown = Object.keys(asked).find((field) => !known.has(field))
    return unknown === undefined ? null : `Unrecognized request argument supplied: ${unknown}`
  })
}

const refuses = (source: string, ...fields: string[]): Rule =>
  rule(source, (asked) => {
    const found = fields.find((field) => asked[field] != null)
    return found === undefined ? null : `Unsupported parameter: '${found}' is not supported with this model.`
  })

const onlyDefault = (source: string, defaults: Record<string, number>): Rule =>
  rule(source, (asked) => {
    const found = Object.entries(defaults).find(([name, value]) => asked[name] != null && asked[name] !== value)
    return found === undefined ? null : `Unsupported value: '${found[0]}' does not support ${asked[found[0]]}.`
  })

const oneOf = (source: string, read: (asked: JsonObject) => unknown, values: readonly string[]): Rule =>
  rule(source, (asked) => {
    const value = read(asked)
    return value == null || values.includes(String(value))
      ? null
      : `Unsupported value: '${value}'. Use ${values.join(', ')}.`
  })

const between = (source: string, name: string, [min, max]: [number, number]): Rule =>
  rule(source, ({ [name]: value }) =>
    value == null || (Number(value) >= min && Number(value) <= max)
      ? null
      : `${name}: ${value} is not in ${min} to ${max}`,
  )

/** Every schema in a schema. */
function schemasIn(schema: unknown): JsonObject[] {
  if (Array.isArray(schema)) return schema.flatMap(schemasIn)
  if (!isRecord(schema)) return []
  const inside = ['items', 'anyOf', 'allOf'].flatMap((name) => schemasIn(schema[name]))
  const named = ['properties', '$defs'].flatMap((name) => Object.values(schema[name] ?? {}).flatMap(schemasIn))
  return [schema, ...inside, ...named]
}

const isOpen = (schema: JsonObject) => schema.type === 'object' && schema.additionalProperties !== false

const isPartly = ({ properties, required }: JsonObject) =>
  isRecord(properties) && Object.keys(properties).some((name) => !(required as string[] | undefined)?.includes(name))

const openAiSchema = (read: (asked: JsonObject) => unknown): Rule =>
  rule(`${OPENAI}/guides/structured-outputs#supported-schemas`, (asked) => {
    const format = read(asked)
    if (!isRecord(format) || format.strict !== true) return null
    const wrong = schemasIn(format.schema).find((each) => isOpen(each) || isPartly(each))
    return wrong ? "Invalid schema: 'additionalProperties' must be false and 'required' must have every key." : null
  })

const BOUNDS = ['minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength', 'maxItems', 'uniqueItems']

const CHAT_FIELDS =
  'model messages stream stream_options n max_tokens max_completion_tokens temperature top_p stop seed user logprobs top_logprobs logit_bias presence_penalty frequency_penalty reasoning_effort parallel_tool_calls tools tool_choice response_format prediction modalities prompt_cache_key safety_identifier verbosity'

/** OpenAI's chat completions: fields, messages and tools as it knows them, and nothing else. */
const OPENAI_CHAT: Rule[] = [
  only(`${OPENAI}/api-reference/chat/create (metadata only with store)`, CHAT_FIELDS),
  rule(`${OPENAI}/api-reference/chat/create#messages`, ({ messages }) => {
    const known = new Set('role content name refusal audio tool_calls tool_call_id function_call'.split(' '))
    for (const message of recordsIn(messages)) {
      const unknown = Object.keys(message).find((name) => !known.has(name))
      if (unknown) return `Unknown parameter: 'messages[0].${unknown}'.`
      if (recordsIn(message.content).some((part) => 'cache_control' in part))
        return "Unknown parameter: 'cache_control'."
    }
    return null
  }),
  between(`${OPENAI}/api-reference/chat/create#temperature`, 'temperature', [0, 2]),
  openAiSchema(({ response_format: format }) => (isRecord(format) ? format.json_schema : null)),
]

const OPENAI_RESPONSES: Rule[] = [
  only(
    `${OPENAI}/api-reference/responses/create`,
    'model input instructions stream stream_options tools tool_choice parallel_tool_calls text reasoning include max_output_tokens temperature top_p top_logprobs metadata user safety_identifier prompt_cache_key truncation store',
  ),
  between(`${OPENAI}/api-reference/responses/create#max_output_tokens`, 'max_output_tokens', [16, 128_000]),
  openAiSchema(({ text }) => (isRecord(text) ? text.format : null)),
]

const REASONING = `${OPENAI}/guides/reasoning`
const SAMPLING = { temperature: 1, top_p: 1, presence_penalty: 0, frequency_penalty: 0 }
const effortOf = ({ reasoning }: JsonObject) => (isRecord(reasoning) ? reasoning.effort : null)

const ANTHROPIC_MESSAGES: Rule[] = [
  only(
    `${ANTHROPIC}/api/messages`,
    'model messages system max_tokens stream tools tool_choice temperature top_p top_k stop_sequences thinking output_config metadata context_management cache_control',
  ),
  between(`${ANTHROPIC}/api/messages#body-temperature`, 'temperature', [0, 1]),
  between(`${ANTHROPIC}/about-claude/models/overview`, 'max_tokens', [1, 64_000]),
  rule(`${ANTHROPIC}/build-with-claude/structured-outputs#json-schema-limitations`, ({ output_config: config }) => {
    const format = isRecord(config) ? config.format : null
    if (!isRecord(format)) return null
    if (format.type !== 'json_schema') return 'output_config.format.type: Input should be json_schema'
    const all = schemasIn(format.schema)
    if (all.some(isOpen)) return "output_config.format.schema: 'additionalProperties' must be explicitly set to false"
    return all.some((each) => BOUNDS.some((name) => name in each))
      ? 'output_config.format.schema: bounds are not supported'
      : null
  }),
  rule(
    `${ANTHROPIC}/build-with-claude/extended-thinking`,
    ({ thinking, temperature, top_k: topK, max_tokens: limit }) => {
      if (!isRecord(thinking) || thinking.type === 'disabled') return null
      if ((temperature != null && temperature !== 1) || topK != null)
        return '`temperature` may only be set to 1 when thinking is enabled.'
      return thinking.type === 'enabled' && Number(thinking.budget_tokens) >= Number(limit)
        ? '`max_tokens` must be greater than `thinking.budget_tokens`.'
        : null
    },
  ),
]

const ONE_OF_TWO = rule(`${ANTHROPIC}/about-claude/models/migrating`, ({ temperature, top_p: topP }) =>
  temperature != null && topP != null ? '`temperature` and `top_p` cannot both be specified for this model.' : null,
)

const thinks = (types: readonly string[]): Rule =>
  rule(`${ANTHROPIC}/build-with-claude/adaptive-thinking`, ({ thinking }) =>
    isRecord(thinking) && !types.includes(String(thinking.type))
      ? `thinking.type: ${thinking.type} is not supported by this model`
      : null,
  )

const efforts = (values: readonly string[]): Rule =>
  oneOf(
    `${ANTHROPIC}/build-with-claude/effort`,
    ({ output_config: config }) => (isRecord(config) ? config.effort : null),
    values,
  )

/** Models as strict as their providers, each with what is particular to it. */
export const STRICT_PROVIDERS = {
  'openai-chat-reasoning': {
    api: 'chat',
    model: 'gpt-5-mini',
    rules: [
      ...OPENAI_CHAT,
      onlyDefault(REASONING, SAMPLING),
      refuses(REASONING, 'max_tokens', 'stop', 'logprobs', 'logit_bias'),
      oneOf(REASONING, ({ reasoning_effort: effort }) => effort, ['minimal', 'low', 'medium', 'high']),
    ],
  },
  'openai-chat': {
    api: 'chat',
    model: 'gpt-4o-mini',
    rules: [...OPENAI_CHAT, refuses(`${OPENAI}/models/gpt-4o-mini`, 'reasoning_effort')],
  },
  'openai-responses-reasoning': {
    api: 'responses',
    model: 'o4-mini',
    rules: [
      ...OPENAI_RESPONSES,
      onlyDefault(REASONING, SAMPLING),
      oneOf(REASONING, effortOf, ['low', 'medium', 'high']),
    ],
  },
  'openai-responses': {
    api: 'responses',
    model: 'gpt-4.1-mini',
    rules: [
      ...OPENAI_RESPONSES,
      refuses(`${OPENAI}/models/gpt-4.1-mini`, 'reasoning'),
      rule(REASONING, ({ include }) =>
        Array.isArray(include) && include.includes('reasoning.encrypted_content')
          ? 'Encrypted content is not supported with this model.'
          : null,
      ),
    ],
  },
  'claude-budget': {
    api: 'messages',
    model: 'claude-sonnet-4-5',
    rules: [...ANTHROPIC_MESSAGES, ONE_OF_TWO, thinks(['enabled', 'disabled']), efforts([])],
  },
  'claude-adaptive': {
    api: 'messages',
    model: 'claude-opus-4-7',
    rules: [
      ...ANTHROPIC_MESSAGES,
      refuses(`${ANTHROPIC}/about-claude/models/whats-new`, 'temperature', 'top_p', 'top_k'),
      thinks(['adaptive', 'disabled']),
      efforts(['low', 'medium', 'high', 'xhigh', 'max']),
    ],
  },
} as const satisfies Record<string, StrictProvider>
