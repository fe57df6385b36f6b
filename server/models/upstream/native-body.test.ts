import { describe, expect, test } from 'vitest'
import type { CompletionBody } from '../completion'
import { modelFromEntry } from '../registry'
import { ModelEntry } from '../shape'
import { chatModelRequest } from '../wires/chat/request'
import { UPSTREAM_WIRES } from '../wires/upstream-wires'
import { fittedBody } from './native-body'

const entry = (api: string, model: string, more: object) =>
  ModelEntry.parse({
    ...{ id: 'a/b', name: 'B', provider: 'A', kind: 'chat', contextSize: 200_000, maxOutput: 64_000, vision: true },
    ...{ usdPer1mInput: 1, usdPer1mOutput: 1 },
    upstreams: [{ api, baseUrl: 'http://127.0.0.1:9/v1', apiKeyEnv: null, model }],
    ...more,
  })

/** A chat body as a model gets it at an upstream, with what was changed. */
function asSent(api: 'chat' | 'responses' | 'messages', model: string, body: CompletionBody, more: object = {}) {
  const made = modelFromEntry(entry(api, model, more))
  const [upstream] = made.upstreams
  const wire = UPSTREAM_WIRES[api]
  if (!upstream || !wire) throw new Error('no upstream')
  const { body: fitted, adjusted } = fittedBody(chatModelRequest(body), { model: made, upstream, wire })
  return { body: fitted, adjusted: Object.fromEntries(adjusted.map(({ field, now }) => [field, now])) }
}

const user = (content: unknown) => ({ role: 'user', content })
const ask = (more: object = {}) => ({ messages: [user('x')], ...more })

describe('thinking in the messages API', () => {
  const fn = { type: 'function', function: { name: 'look', parameters: { properties: {} } } }
  const fitted = (more: object, model = 'claude-sonnet-4-5') => {
    const { thinking, output_config, temperature } = asSent(
      'messages',
      model,
      ask({ max_tokens: 20_000, ...more }),
    ).body
    return { thinking, output_config, temperature }
  }
  const answering = (details?: object[]) => [
    user('x'),
    {
      role: 'assistant',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }],
      reasoning_details: details,
    },
    { role: 'tool', tool_call_id: 'a', content: 'y' },
  ]

  test('has a budget by the effort, below the limit', () => {
    expect(fitted({ reasoning_effort: 'low', temperature: 0.3 })).toEqual({
      thinking: { type: 'enabled', budget_tokens: 2_048 },
    })
    expect(fitted({ reasoning: { max_tokens: 3_000 } }).thinking).toMatchObject({ budget_tokens: 3_000 })
    expect(fitted({ reasoning_effort: 'high' }).thinking).toMatchObject({ budget_tokens: 18_976 })
    expect(fitted({ reasoning_effort: 'high', max_tokens: 1_500, temperature: 0.3 })).toEqual({ temperature: 0.3 })
    expect(fitted({ reasoning_effort: 'none' })).toEqual({})
  })

  test.each([
    'claude-opus-4-7',
    'claude-opus-4.7',
    'claude-sonnet-4-6',
    'claude-fable-5-2',
    'claude-haiku-5-5-20261001',
  ])('is an effort for %s', (model) => {
    expect(fitted({ reasoning_effort: 'medium' }, model)).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'medium' },
    })
  })

  test.each(['claude-sonnet-4-20250514', 'claude-3-7-sonnet-20250219', 'claude-opus-4.1', 'glm-5'])(
    'is a budget for %s',
    (model) => expect(fitted({ reasoning_effort: 'low' }, model).thinking).toMatchObject({ type: 'enabled' }),
  )

  test('is off for a model without, and where the API would refuse it', () => {
    expect(fitted({ reasoning_effort: 'low' }, 'claude-3-5-haiku-latest').thinking).toBeUndefined()
    expect(fitted({ reasoning_effort: 'low', tools: [fn], tool_choice: 'required' }).thinking).toBeUndefined()
    const signed = [{ type: 'reasoning.text', text: 'hm', signature: 's', format: 'anthropic-claude-v1' }]
    const answered = (details?: object[]) => fitted({ reasoning_effort: 'low', messages: answering(details) })
    expect(answered().thinking).toBeUndefined()
    expect(answered(signed).thinking).toBeDefined()
  })
})

describe('what a model takes', () => {
  test.each([
    ['gpt-5-mini', 'low', 'low'],
    ['gpt-5-mini', 'none', 'minimal'],
    ['gpt-5.1', 'minimal', 'low'],
    ['gpt-5.2', 'none', 'none'],
    ['gpt-5.2', 'max', 'xhigh'],
    ['gpt-5-pro', 'low', 'high'],
    ['o4-mini', 'xhigh', 'high'],
    ['openai/gpt-4.1-mini', 'high', undefined],
    ['gpt-4o', 'none', undefined],
    ['somebody-s-model', 'xhigh', 'xhigh'],
  ])('%s has for the effort %s the effort %s', (model, reasoning_effort, effort) => {
    expect(asSent('chat', model, ask({ reasoning_effort })).body.reasoning_effort).toBe(effort)
    const { reasoning } = asSent('responses', model, ask({ reasoning_effort })).body
    expect((reasoning as { effort?: string } | undefined)?.effort).toBe(effort)
  })

  test('sampling settings are left out for models that reason, unless they do not', () => {
    const sampled = ask({ temperature: 0, top_p: 0.9, presence_penalty: 0 })
    expect(asSent('chat', 'gpt-5', sampled)).toMatchObject({ adjusted: { temperature: 'dropped', top_p: 'dropped' } })
    expect(asSent('chat', 'gpt-5', ask({ temperature: 1 })).adjusted).toEqual({})
    expect(asSent('chat', 'gpt-5.1', ask({ temperature: 0, reasoning_effort: 'none' })).body.temperature).toBe(0)
    expect(asSent('chat', 'gpt-4o', sampled).adjusted).toEqual({})
    expect(asSent('messages', 'claude-opus-4-5', sampled)).toMatchObject({
      body: { temperature: 0 },
      adjusted: { top_p: 'dropped' },
    })
    expect(asSent('messages', 'claude-opus-4.8', sampled).body).not.toHaveProperty('temperature')
    expect(asSent('messages', 'claude-3-5-haiku', ask({ temperature: 1.7 })).adjusted).toEqual({ temperature: '1' })
  })

  test('limits are clamped', () => {
    expect(asSent('responses', 'x', ask({ max_tokens: 5 }))).toMatchObject({
      body: { max_output_tokens: 16 },
      adjusted: { max_tokens: '16' },
    })
    expect(asSent('chat', 'x', ask({ max_tokens: 1e6 }))).toMatchObject({ body: { max_tokens: 64_000 } })
    expect(asSent('chat', 'x', ask({ max_tokens: 5 })).adjusted).toEqual({})
    expect(asSent('chat', 'x', ask({ max_tokens: 5 }), { limits: { minOutput: 8 } }).body.max_tokens).toBe(8)
  })

  test('what the answer would be wrong without is refused with its name', () => {
    const refused =
      (model: string, more: object, entryMore: object = {}) =>
      () =>
        asSent('chat', model, ask(more), entryMore)
    expect(refused('o3', { stop: ['a'] })).toThrow(/^stop: Model a\/b does not take it/)
    expect(refused('gpt-5', { logprobs: true })).toThrow(/logprobs/)
    expect(refused('gpt-4o', { stop: ['a', 'b', 'c', 'd', 'e'] })).toThrow(/stop: Model a\/b takes 4 at most/)
    expect(refused('x', { tools: [{}] }, { parameters: { tools: false } })).toThrow(/tools/)
    expect(refused('x', { n: 2 }, { parameters: { n: false } })).toThrow(/^n: /)
    expect(refused('gpt-5', { logprobs: false, stop: [] })).not.toThrow()
  })

  test('fields of other APIs go to whoever takes them', () => {
    const more = {
      usage: { include: true },
      include_reasoning: true,
      transforms: ['middle-out'],
      metadata: { a: 'b' },
      reasoning: { effort: 'low' },
    }
    const messages = [
      user([{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }]),
      { role: 'assistant', content: 'y', reasoning_content: 'hm' },
    ]
    const { body, adjusted } = asSent('chat', 'gpt-5', { ...more, messages })
    expect(body).toEqual({
      messages: [user([{ type: 'text', text: 'x' }]), { role: 'assistant', content: 'y' }],
      reasoning_effort: 'low',
    })
    expect(Object.keys(adjusted).sort()).toEqual(
      ['cache_control', 'include_reasoning', 'metadata', 'reasoning_content', 'transforms', 'usage'].sort(),
    )
    for (const model of ['openai/gpt-5', 'llama-4'])
      expect(asSent('chat', model, { ...more, messages }).body).toMatchObject(more)
  })

  test('an entry of the models file knows better than the family', () => {
    const overrides = { parameters: { temperature: true }, efforts: ['low'], schemaDialect: 'any' }
    const { body, adjusted } = asSent('chat', 'gpt-5', ask({ temperature: 0.2, reasoning_effort: 'high' }), overrides)
    expect([body.temperature, body.reasoning_effort, adjusted]).toEqual([0.2, 'low', { reasoning_effort: 'low' }])
    const found = { id: 'azure/gpt-5' }
    expect(asSent('chat', 'deployment-7', ask({ temperature: 0.2 }), found).adjusted).toEqual({
      temperature: 'dropped',
    })
  })
})

describe('the form of an answer', () => {
  const format = (schema: object, strict = true) =>
    ask({ response_format: { type: 'json_schema', json_schema: { name: 'a', schema, strict } } })
  const schemaOf = (body: CompletionBody) => (body.output_config as { format: { schema: unknown } }).format.schema

  test('for Claude has closed objects, and bounds in descriptions', () => {
    const schema = {
      type: 'object',
      properties: {
        age: { type: 'integer', minimum: 0, maximum: 150, description: 'Years' },
        tags: {
          type: 'array',
          minItems: 1,
          maxItems: 3,
          items: { type: 'object', properties: { a: { type: 'string' } } },
        },
      },
      required: ['age'],
    }
    const { body, adjusted } = asSent('messages', 'claude-sonnet-4-5', format(schema))
    expect(schemaOf(body)).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: {
        age: { type: 'integer', description: 'Years {minimum: 0, maximum: 150}' },
        tags: {
          type: 'array',
          minItems: 1,
          description: '{maxItems: 3}',
          items: { type: 'object', additionalProperties: false, properties: { a: { type: 'string' } } },
        },
      },
      required: ['age'],
    })
    expect(adjusted).toEqual({ response_format: 'rewritten' })
    const open = { type: 'object', properties: {}, additionalProperties: { type: 'string' } }
    expect(() => asSent('messages', 'claude-sonnet-4-5', format(open))).toThrow(/closed objects/)
    expect(schemaOf(asSent('messages', 'x', format(schema)).body)).toEqual(schema)
  })

  test('for OpenAI is strict where the schema can be', () => {
    const whole = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
    const fitted = (schema: object) =>
      asSent('chat', 'gpt-4o', format(schema)).body.response_format as { json_schema: object }
    expect(fitted(whole).json_schema).toEqual({
      name: 'a',
      strict: true,
      schema: { ...whole, additionalProperties: false },
    })
    const optional = { ...whole, required: [] }
    expect(fitted(optional).json_schema).toEqual({ name: 'a', strict: false, schema: optional })
  })

  test('without a schema is asked for in the prompt where the API has no such form', () => {
    const { body, adjusted } = asSent('messages', 'claude-opus-4-6', ask({ response_format: { type: 'json_object' } }))
    expect(body.system).toEqual([{ type: 'text', text: expect.stringContaining('JSON object') }])
    expect(body.output_config).toBeUndefined()
    expect(adjusted).toEqual({ response_format: 'instructed' })
  })

  test('is refused by models that take no schema', () => {
    expect(() => asSent('messages', 'claude-3-5-haiku-latest', format({ type: 'object' }))).toThrow(/takes no schema/)
    expect(() => asSent('chat', 'gpt-4-turbo', format({ type: 'object' }))).toThrow(/takes no schema/)
  })
})
