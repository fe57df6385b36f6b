import { describe, expect, it } from 'vitest'
import { send, withSandbox } from '../../support/api'
import { makeChatter } from '../../support/chat'
import { expectUntouched, readOwnerMoney } from '../../support/ledger'
import { strictModel, withFakeProviders } from '../../support/wires/fake-providers'
import { type JsonObject, WIRE_NAMES } from '../../support/wires/scene'
import { STRICT_PROVIDERS } from '../../support/wires/strict-providers'
import { WIRE_ENDS } from '../../support/wires/wires'

/** What any client sends, in every wire, to models as strict as their providers are. */

const providers = withFakeProviders(STRICT_PROVIDERS)
withSandbox()

type Wire = (typeof WIRE_NAMES)[number]
type Case = { what: string; sent: Partial<Record<Wire, JsonObject>> }

const same = (fields: JsonObject) => ({ chat: fields, responses: fields, messages: fields })
const SCHEMA = {
  type: 'object',
  properties: { age: { type: 'integer', minimum: 0, maximum: 9 }, name: { type: 'string', maxLength: 9 } },
  required: ['age'],
}
const marked = { cache_control: { type: 'ephemeral' } }

const CASES: readonly Case[] = [
  { what: 'a temperature of 0', sent: same({ temperature: 0 }) },
  { what: 'a temperature and top_p', sent: same({ temperature: 0.1, top_p: 0.9 }) },
  {
    what: 'an effort',
    sent: {
      chat: { reasoning_effort: 'low', temperature: 0.5 },
      responses: { reasoning: { effort: 'low', summary: 'auto' } },
      messages: { thinking: { type: 'enabled', budget_tokens: 2_000 }, max_tokens: 4_000 },
    },
  },
  {
    what: 'an effort of newer models',
    sent: {
      chat: { reasoning_effort: 'xhigh', max_completion_tokens: 40_000 },
      responses: { reasoning: { effort: 'none' } },
      messages: { thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' }, max_tokens: 40_000 },
    },
  },
  {
    what: 'very little output',
    sent: { chat: { max_completion_tokens: 5 }, responses: { max_output_tokens: 5 }, messages: { max_tokens: 5 } },
  },
  {
    what: 'more output than there is',
    sent: {
      chat: { max_tokens: 900_000, max_completion_tokens: null },
      responses: { max_output_tokens: 900_000 },
      messages: { max_tokens: 900_000 },
    },
  },
  {
    what: 'JSON without a schema',
    sent: {
      chat: { response_format: { type: 'json_object' } },
      responses: { text: { format: { type: 'json_object' } } },
    },
  },
  {
    what: 'a schema with bounds and optional fields',
    sent: {
      chat: { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: SCHEMA, strict: true } } },
      responses: { text: { format: { type: 'json_schema', name: 'a', schema: SCHEMA, strict: true } } },
      messages: { output_config: { format: { type: 'json_schema', schema: SCHEMA } } },
    },
  },
  {
    what: 'metadata',
    sent: {
      chat: { metadata: { a: 'b' }, store: true },
      responses: { metadata: { a: 'b' } },
      messages: { metadata: { user_id: 'u' } },
    },
  },
  {
    what: 'what routers and other providers have',
    sent: {
      chat: {
        usage: { include: true },
        include_reasoning: true,
        transforms: ['middle-out'],
        top_k: 40,
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Hello', ...marked }] },
          { role: 'assistant', content: 'Hi', reasoning_content: 'hm', reasoning: 'hm' },
          { role: 'user', content: 'And?' },
        ],
      },
      messages: { top_k: 40, messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello', ...marked }] }] },
    },
  },
]

const CELLS = CASES.flatMap(({ what, sent }) =>
  WIRE_NAMES.flatMap((from) => {
    const fields = sent[from]
    return fields ? Object.keys(STRICT_PROVIDERS).map((to) => ({ what, from, to, fields })) : []
  }),
)

async function ask(from: Wire, to: string, fields: JsonObject, strict = false) {
  const caller = await makeChatter(10_000_000, { strict })
  const { client } = WIRE_ENDS[from]
  providers.play({ text: ['{}'], usage: { input: 10, output: 2 } })
  const body = { ...client.body({ model: strictModel(to), text: 'Hello', limit: 200 }, false), ...fields }
  return { ...caller, answer: await send(client.path, { key: caller.key.key, body }) }
}

it.each(CELLS)('$what, from $from to $to: 200', async ({ from, to, fields }) => {
  const { owner, answer } = await ask(from, to, fields)
  expect(answer.status, answer.text).toBe(200)
  expect(providers.calls()).toBe(1)
  expect((await readOwnerMoney(owner)).charged).toBeGreaterThan(0)
})

describe('x-tollgate-adjusted', () => {
  it.each([
    ['chat', 'openai-chat-reasoning', { temperature: 0 }, 'temperature=dropped'],
    ['messages', 'openai-responses', { max_tokens: 5 }, 'max_tokens=16'],
    ['responses', 'openai-chat', { max_output_tokens: 900_000 }, 'max_output_tokens=64000'],
    ['responses', 'openai-responses', { reasoning: { effort: 'high' } }, 'reasoning.effort=dropped'],
    ['chat', 'claude-budget', { response_format: { type: 'json_object' } }, 'response_format=instructed'],
    ['chat', 'claude-adaptive', { seed: 7, x_other: 1 }, 'seed=dropped, x_other=dropped'],
  ] as const)('from %s to %s says %j is %s', async (from, to, fields, said) => {
    const { answer } = await ask(from, to, fields)
    expect(answer.headers.get('x-tollgate-adjusted')).toBe(said)
  })

  it('is not there where a request goes as it came', async () => {
    const { answer } = await ask('chat', 'openai-chat', { temperature: 0, stop: ['x'] })
    expect([answer.status, answer.headers.get('x-tollgate-adjusted')]).toEqual([200, null])
  })
})

describe('400 with the name of the field, nothing asked and nothing charged', () => {
  it.each([
    ['chat', 'openai-chat-reasoning', { stop: ['END'] }, 'stop'],
    ['messages', 'openai-chat-reasoning', { stop_sequences: ['END'] }, 'stop_sequences'],
    ['chat', 'openai-chat-reasoning', { logprobs: true }, 'logprobs'],
    ['chat', 'claude-budget', { n: 2 }, 'n'],
  ] as const)('from %s to %s: %j', async (from, to, fields, named) => {
    const { owner, answer } = await ask(from, to, fields)
    expect(answer.status, answer.text).toBe(400)
    expect(WIRE_ENDS[from].client.readError(answer.body)).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(named),
    })
    expect(providers.calls()).toBe(0)
    await expectUntouched(owner, 10_000_000)
  })

  it.each(WIRE_NAMES)('for any change with a strict key, in %s', async (from) => {
    const { owner, answer } = await ask(from, 'openai-chat-reasoning', { temperature: 0 }, true)
    expect(answer.status, answer.text).toBe(400)
    expect(WIRE_ENDS[from].client.readError(answer.body).message).toMatch(/strict.*temperature \(dropped\)/)
    await expectUntouched(owner, 10_000_000)
    expect((await ask(from, 'openai-chat-reasoning', {}, true)).answer.status).toBe(200)
  })
})
