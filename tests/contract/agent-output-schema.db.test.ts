import { text as textOf } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { readSteps, scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { streamChunk, streamEvents, withFakeUpstream } from '../support/fake-upstream'
import { expectUntouched } from '../support/ledger'
import { makeCaller } from '../support/owners'
import { withWorker } from '../support/worker'

const upstream = withFakeUpstream()
const sandbox = withSandbox()
withWorker()

const AGENT = { agent: true }
const over = ['completed', 'failed', 'cancelled'] as const
const outputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    city: { type: 'string', pattern: '^[A-Z]' },
    homes: { type: 'array', items: { $ref: '#/$defs/home' }, minItems: 1 },
  },
  required: ['city', 'homes'],
  additionalProperties: false,
  $defs: { home: { type: 'object', properties: { price: { type: 'integer' } }, required: ['price'] } },
}
const value = { city: 'Olbia', homes: [{ price: 480_000 }] }
const json = JSON.stringify(value)
const search = { name: 'web_search', arguments: { query: 'homes' } }

async function run(key: string, turns: object[], more: object = { outputSchema }) {
  const { status, body } = await startAgentRun(key, { goal: scriptedGoal({ turns }), ...more })
  expect(status, JSON.stringify(body)).toBe(202)
  return untilStatus(key, body.jobId, ...over)
}

type Sent = { messages: { role: string; content: string }[]; tool_choice?: string; response_format?: object }
const lastSent = async () => ((await (await fetch(`${sandbox.url()}/llm/__last`)).json()) as { body: Sent }).body

describe('a result that conforms', () => {
  it('is the output, and the text the result; the model was given the schema', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const done = await run(key.key, [{ toolCalls: [search] }, { text: json }])
    expect(done).toMatchObject({ status: 'completed', result: json, output: value })
    const { messages, response_format } = await lastSent()
    expect(messages[0]?.content).toContain('"pattern":"^[A-Z]"')
    expect(response_format).toBeUndefined()
    expect(await chargedTo(owner)).toBe(done.creditsSpent)
  })

  it.each([
    ['in a fenced block', `Here it is:\n\n\`\`\`json\n${json}\n\`\`\`\nThat is all.`],
    ['within a sentence', `The answer: ${json}.`],
  ])('is found %s', async (_where, text) => {
    const { key } = await makeCaller(10_000, AGENT)
    expect(await run(key.key, [{ text }])).toMatchObject({ status: 'completed', result: text, output: value })
  })

  it('may be any JSON, null too', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const done = await run(key.key, [{ text: 'null' }], { outputSchema: { type: ['null', 'string'] } })
    expect(done).toMatchObject({ status: 'completed', result: 'null', output: null })
  })
})

describe('a result that does not conform', () => {
  it('is asked for once more, with what is wrong, without calls and in the format', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const wrong = JSON.stringify({ city: 'olbia', homes: [{ price: '480' }] })
    const done = await run(key.key, [{ toolCalls: [search] }, { text: wrong }, { text: json, toolCalls: [search] }])
    expect(done).toMatchObject({ status: 'completed', result: json, output: value })
    const { messages, tool_choice, response_format } = await lastSent()
    const asked = messages.findLast(({ content }) => content.startsWith('Your answer does not conform'))
    expect(asked?.content).toMatch(/city/)
    expect(asked?.content).toMatch(/price/)
    expect(tool_choice).toBe('none')
    expect(response_format).toMatchObject({ type: 'json_schema', json_schema: { schema: { type: 'object' } } })
    const steps = await readSteps(key.key, done.jobId)
    expect(steps.map(({ kind }) => kind)).toEqual(['model', 'tool', 'model', 'model'])
    expect(steps.reduce((sum, { creditsCharged }) => sum + creditsCharged, 0)).toBe(done.creditsSpent)
    expect(await chargedTo(owner)).toBe(done.creditsSpent)
  })

  it('twice ends the run as failed, with the reason and the text; every step is charged', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const done = await run(key.key, [{ text: 'I found 480 homes.' }, { text: '{"city": "Olbia"}' }])
    expect(done).toMatchObject({ status: 'failed', output: null })
    expect(done.result).toMatch(/^\{"city": "Olbia"\}\n\n_The run was given up: .* conform to outputSchema\. .*homes/)
    const steps = await readSteps(key.key, done.jobId)
    expect(steps.map(({ kind }) => kind)).toEqual(['model', 'model'])
    expect(await chargedTo(owner)).toBe(done.creditsSpent)
  })
})

describe('another turn', () => {
  it('takes its own schema, or none', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const first = await run(key.key, [{ text: json }])
    const conversation = { conversationId: first.jobId }
    const second = await run(key.key, [{ text: '[1, 2]' }], { ...conversation, outputSchema: { type: 'array' } })
    expect(second).toMatchObject({ status: 'completed', output: [1, 2] })
    const third = await run(key.key, [{ text: 'In words.' }], conversation)
    expect(third).toMatchObject({ status: 'completed', result: 'In words.' })
    expect(third).not.toHaveProperty('output')
    expect((await lastSent()).messages[0]?.content).not.toContain('JSON Schema')
  })
})

describe('400', () => {
  const deep = (levels: number): object => (levels === 0 ? {} : { properties: { a: deep(levels - 1) } })
  it.each([
    ['not an object', [1], /outputSchema/],
    ['a type that does not exist', { type: 'objekt' }, /outputSchema\.type/],
    ['a keyword of the wrong form', { type: 'object', required: 'city' }, /outputSchema\.required/],
    ['a reference to another place', { $ref: 'https://evil.example/schema.json' }, /nothing is fetched/],
    [
      'one deep inside',
      { properties: { a: { items: { $ref: 'file:///etc/passwd' } } } },
      /reference within the schema/,
    ],
    ['a reference to nothing', { $ref: '#/$defs/gone' }, /which it does not have/],
    ['a reference to itself', { $ref: '#' }, /cannot be evaluated|too much/],
    ['an invalid pattern', { type: 'string', pattern: '(' }, /cannot be evaluated/],
    ['too many levels', deep(60), /levels deep/],
    ['too many values', { enum: Array.from({ length: 5_000 }, (_, i) => i) }, /values/],
    ['too many characters', { description: 'x'.repeat(40_000) }, /characters/],
  ])('is for %s, and nothing is started', async (_what, schema, message) => {
    const { owner, key } = await makeCaller(1_000, AGENT)
    const { status, body } = await startAgentRun(key.key, { outputSchema: schema })
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect(String(body.error)).toMatch(message)
    await expectUntouched(owner)
  })

  it('is not for a pattern that takes forever: it is stopped, and the run fails with the reason', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const slow = { type: 'string', pattern: '^(a+)+$' }
    const text = JSON.stringify(`${'a'.repeat(40)}!`)
    const done = await run(key.key, [{ text }, { text }], { outputSchema: slow })
    expect(done).toMatchObject({ status: 'failed', output: null })
    expect(done.result).toMatch(/too much computing/)
  })
})

describe('an upstream that refuses response_format', () => {
  it('is asked again without it', async () => {
    const asked: boolean[] = []
    upstream.play(async (req, res) => {
      const body = JSON.parse(await textOf(req)) as Sent
      asked.push(body.response_format !== undefined)
      if (body.response_format) return void res.writeHead(400).end('{"error": {"message": "no such format"}}')
      const text = asked.length === 1 ? 'In words.' : json
      streamEvents(streamChunk({ content: text }), streamChunk({}, 'stop'), '[DONE]')(req, res)
    })
    const { owner, key } = await makeCaller(10_000, AGENT)
    const done = await run(key.key, [], { outputSchema, model: 'upstream/one' })
    expect(done).toMatchObject({ status: 'completed', output: value })
    expect(asked).toEqual([false, true, false])
    expect(await chargedTo(owner)).toBe(done.creditsSpent)
  })
})
