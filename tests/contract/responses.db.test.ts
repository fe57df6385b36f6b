import { describe, expect, it } from 'vitest'
import { withSandbox } from '../support/api'
import { creditsAtChatModel, makeChatter, receiptOf, sandboxUpstream } from '../support/chat'
import { readOwnerMoney } from '../support/ledger'
import { outputText, scriptedResponse, scriptedText, sendResponses } from '../support/responses'
import { modelOf, withWireModels } from '../support/wire-models'

withWireModels(['chat', 'responses', 'messages'])
withSandbox()

const LONG = 'All work and no play makes for a dull afternoon. '.repeat(40).trim()
const PNG = 'data:image/png;base64,iVBORw0KGgo='
const weather = { type: 'function', name: 'weather', parameters: { type: 'object', properties: {} }, strict: false }

/** The output limit that the upstream got, whatever its wire calls it. */
async function limitSent(): Promise<unknown> {
  const { max_output_tokens, max_completion_tokens, max_tokens } = (await sandboxUpstream.last()).body
  return max_output_tokens ?? max_completion_tokens ?? max_tokens
}

type Usage = { input_tokens: number; output_tokens: number; total_tokens: number }

describe.each(['chat', 'responses', 'messages'] as const)('from an upstream that speaks %s', (wire) => {
  const model = modelOf(wire)
  const ask = async (script: Record<string, unknown>, more: object = {}) => {
    const { owner, key } = await makeChatter()
    const answer = await sendResponses(key.key, scriptedResponse(script, { model, ...more }))
    expect(answer.status).toBe(200)
    return { owner, key: key.key, answer, body: answer.body }
  }

  it('a response comes under our model id, with the billing block', async () => {
    const { answer, body } = await ask({ text: 'Good day' })
    expect(body).toMatchObject({
      id: expect.stringMatching(/^resp_/),
      object: 'response',
      status: 'completed',
      model,
      store: true,
      error: null,
      incomplete_details: null,
      output: [
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Good day', annotations: [] }],
        },
      ],
      usage: {
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 2,
        output_tokens_details: { reasoning_tokens: 0 },
      },
      service: { credits_charged: 1 },
    })
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('9999')
  })

  it('it costs tokens × price, and the ledger and the receipt say the same', async () => {
    const { owner, key, answer, body } = await ask({ text: LONG })
    const { input_tokens, output_tokens, total_tokens } = body.usage as Usage
    expect(total_tokens).toBe(input_tokens + output_tokens)
    const credits = creditsAtChatModel(input_tokens, output_tokens)
    expect(credits).toBeGreaterThan(10)
    expect(body.service).toEqual({ credits_charged: credits })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: credits, held: 0, receipts: 1, holds: 0 })
    const receipt = await receiptOf(key, answer)
    expect(receipt).toMatchObject({
      channel: 'responses',
      product: 'chat',
      what: model,
      status: 'ok',
      detail: { inputTokens: input_tokens, outputTokens: output_tokens, estimated: false },
    })
    const { held } = receipt.credits as { held: number }
    expect(held).toBeGreaterThanOrEqual(credits)
  })

  it('it calls functions, several at once', async () => {
    const toolCalls = [
      { name: 'weather', arguments: '{"city":"Oslo"}', id: 'call_7' },
      { name: 'weather', arguments: '{"city":"Rome"}', id: 'call_8' },
    ]
    const { body } = await ask({ text: 'Let me look.', toolCalls }, { tools: [weather] })
    expect(body.output).toMatchObject([
      { type: 'message', content: [{ text: 'Let me look.' }] },
      { type: 'function_call', call_id: 'call_7', name: 'weather', arguments: '{"city":"Oslo"}', status: 'completed' },
      { type: 'function_call', call_id: 'call_8', name: 'weather', arguments: '{"city":"Rome"}', status: 'completed' },
    ])
    expect(body.output).toSatisfy((items: { id: string }[]) => new Set(items.map(({ id }) => id)).size === 3)
  })

  it('it goes on after a tool’s result, text or parts', async () => {
    for (const output of ['sunny', [{ type: 'input_text', text: 'sunny' }]]) {
      const { body } = await ask(
        {},
        {
          tools: [weather],
          input: [
            { role: 'user', content: scriptedText({ turns: [{}, { text: 'It is {{last}}.' }] }) },
            { type: 'function_call', call_id: 'call_7', name: 'weather', arguments: '{}' },
            { type: 'function_call_output', call_id: 'call_7', output },
          ],
        },
      )
      expect(outputText(body)).toBe('It is sunny.')
    }
  })

  it('it calls custom tools with a text, and those in a namespace', async () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' }
    const tools = [
      { type: 'custom', name: 'apply_patch', description: 'Edits files', format },
      { type: 'namespace', name: 'agents', description: 'Agents', tools: [{ ...weather, name: 'spawn' }] },
      { type: 'local_shell' },
    ]
    const named = wire === 'responses' ? 'spawn' : 'agents__spawn'
    const toolCalls = [
      { name: 'apply_patch', arguments: '{"input": "*** Begin\\n+a"}', id: 'call_1' },
      { name: named, arguments: '{"a":1}', id: 'call_2' },
      { name: 'local_shell', arguments: '{"command":["ls","-l"]}', id: 'call_3' },
    ]
    const { body } = await ask({ toolCalls }, { tools })
    expect(body.output).toMatchObject([
      { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: '*** Begin\n+a' },
      { type: 'function_call', call_id: 'call_2', name: 'spawn', namespace: 'agents', arguments: '{"a":1}' },
      { type: 'local_shell_call', call_id: 'call_3', action: { type: 'exec', command: ['ls', '-l'] } },
    ])
  })

  it('it takes back what it said: reasoning, calls of every kind and their results', async () => {
    const tools = [weather, { type: 'custom', name: 'apply_patch' }, { type: 'local_shell' }]
    const toolCalls = [
      { name: 'apply_patch', arguments: '{"input": "+a"}' },
      { name: 'local_shell', arguments: '{"command":["ls"]}' },
      { name: 'weather', arguments: '{}' },
    ]
    const script = { turns: [{ reasoning: 'hm hm', toolCalls }, { text: 'Done: {{last}}' }] }
    const { body, key } = await ask(script, { tools, reasoning: { effort: 'low', summary: 'auto' } })
    const output = body.output as Record<string, unknown>[]
    expect(output[0]).toMatchObject({
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'hm hm' }],
      encrypted_content: expect.any(String),
    })
    const results = output.slice(1).map(({ type, call_id }) => ({ type: `${type}_output`, call_id, output: 'fine' }))
    const input = [{ role: 'user', content: scriptedText(script) }, ...output, ...results]
    const again = await sendResponses(key, { model, input, tools })
    expect(outputText(again.body)).toBe('Done: fine')
  })

  it('it answers in a schema', async () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    const { body } = await ask({}, { text: { format: { type: 'json_schema', name: 'place', schema, strict: true } } })
    expect(JSON.parse(outputText(body))).toEqual({ city: expect.any(String) })
    expect(body.text).toMatchObject(wire === 'responses' ? {} : { format: { type: 'json_schema', name: 'place' } })
  })

  it('it sees images, of users and in results of tools', async () => {
    const image = { type: 'input_image', image_url: PNG, detail: 'low' }
    const { body } = await ask({}, { input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }, image] }] })
    expect(outputText(body)).toContain('I see 1 image')
    const { body: after } = await ask(
      {},
      {
        tools: [weather],
        input: [
          { role: 'user', content: 'Look' },
          { type: 'function_call', call_id: 'c', name: 'weather', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c', output: [image] },
        ],
      },
    )
    expect(outputText(after)).toContain('I see 1 image')
  })

  it('it is incomplete at the output limit', async () => {
    const { body } = await ask({ text: LONG }, { max_output_tokens: 16 })
    expect(body).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      usage: { output_tokens: 16 },
    })
    expect(await limitSent()).toBe(16)
  })

  it('without a limit the affordable one is sent', async () => {
    await ask({ text: 'ok' })
    expect(await limitSent()).toBe(16_384)
  })

  it.each(['none', 'negative', 'string', 'float', 'zero'])('usage that is %s is counted here', async (usage) => {
    const { owner, key, answer, body } = await ask({ text: LONG, reasoning: 'hm', usage })
    const { input_tokens, output_tokens } = body.usage as Usage
    expect(output_tokens).toBeGreaterThan(300)
    const credits = creditsAtChatModel(input_tokens, output_tokens)
    expect(body.service).toEqual({ credits_charged: credits })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: credits, held: 0 })
    expect(await receiptOf(key, answer)).toMatchObject({ detail: { estimated: true } })
  })

  it('hosted tools are dropped, and client tools stay', async () => {
    const hosted = ['web_search', 'file_search', 'code_interpreter', 'image_generation', 'mcp', 'computer_use_preview']
    const tools = [...hosted.map((type) => ({ type })), { type: 'tool_search' }, weather]
    await ask({ text: 'ok' }, { tools, tool_choice: 'auto' })
    const seen = (await sandboxUpstream.last()).body.tools as Record<string, unknown>[]
    expect(seen.map(({ name, function: f }) => name ?? (f as { name: string }).name)).toEqual(['weather'])
    await ask({ text: 'ok' }, { tools: [{ type: 'web_search' }] })
    expect((await sandboxUpstream.last()).body.tools ?? []).toEqual([])
  })

  it('nothing is stored there, and no price is chosen', async () => {
    for (const store of [true, false, null, undefined]) await ask({ text: 'ok' }, { store, service_tier: 'priority' })
    const { body } = await sandboxUpstream.last()
    expect(body.store ?? false).toBe(false)
    expect(body).not.toHaveProperty('service_tier')
  })
})

describe('an upstream of the same wire', () => {
  it('gets every field as it came, but for the model, the storage and hosted tools', async () => {
    const { key } = await makeChatter()
    const body = scriptedResponse(
      { text: 'ok' },
      {
        model: modelOf('responses'),
        instructions: 'Be brief.',
        tools: [weather, { type: 'custom', name: 'p', format: { type: 'grammar', syntax: 'lark', definition: 'x' } }],
        tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'weather' }] },
        parallel_tool_calls: false,
        reasoning: { effort: 'high', summary: 'detailed' },
        include: ['message.output_text.logprobs', 'reasoning.encrypted_content'],
        text: { verbosity: 'low', format: { type: 'text' } },
        truncation: 'auto',
        temperature: 0.3,
        top_p: 0.9,
        metadata: { a: 'b' },
        prompt_cache_key: 'k',
        client_metadata: { x: 'y' },
        max_output_tokens: 50,
        x_unknown: { deep: [1, null, { a: 'é' }] },
      },
    )
    expect(await sendResponses(key.key, body)).toMatchObject({ status: 200 })
    expect((await sandboxUpstream.last()).body).toEqual({ ...body, model: 'gale-4', store: false })
  })

  it('is asked for encrypted reasoning, because only that comes back', async () => {
    const { key } = await makeChatter()
    await sendResponses(key.key, scriptedResponse({ text: 'ok' }, { model: modelOf('responses') }))
    expect((await sandboxUpstream.last()).body.include).toEqual(['reasoning.encrypted_content'])
  })

  it('never sees the caller’s key or other headers', async () => {
    const { key } = await makeChatter()
    await sendResponses(key.key, scriptedResponse({ text: 'ok' }, { model: modelOf('responses') }), {
      'x-secret': 'mine',
      'openai-organization': 'o',
    })
    const { headers } = await sandboxUpstream.last()
    expect(JSON.stringify(headers)).not.toContain(key.key)
    for (const name of ['x-secret', 'openai-organization']) expect(headers).not.toHaveProperty(name)
  })
})

describe('Idempotency-Key', () => {
  it('replays the answer, and charges once', async () => {
    const { owner, key } = await makeChatter()
    const body = scriptedResponse({ text: 'ok' })
    const first = await sendResponses(key.key, body, { 'idempotency-key': 'a' })
    const again = await sendResponses(key.key, body, { 'idempotency-key': 'a' })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 1, receipts: 1 })
    const other = await sendResponses(key.key, { ...body, temperature: 1 }, { 'idempotency-key': 'a' })
    expect(other.status).toBe(422)
  })
})
