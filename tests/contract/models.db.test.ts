import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { makeSecret } from '../../server/keys/secret'
import { allModels, describeModel } from '../../server/models/registry'
import { ListedModel, ModelKind } from '../../server/models/shape'
import { send, withSandbox } from '../support/api'
import { expectUntouched } from '../support/ledger'
import { fetchFromListener } from '../support/listener'
import { makeCaller } from '../support/owners'

withSandbox()
const MODELS = '/api/v1/models'
const id = 'northwind/gale-4'
const idsOf = (...kinds: ModelKind[]) =>
  allModels()
    .filter(({ kind }) => kinds.includes(kind))
    .map((m) => m.id)
const idsFor = async (key?: string) => ((await send(MODELS, { key })).body.data as ListedModel[]).map((m) => m.id)
const chatError = (type: string, code: string) => ({ error: { message: expect.stringMatching(/\S/), type, code } })

describe('200 on /models', () => {
  it('lists what chats and what embeds to anyone, with what chat SDKs know and our own fields', async () => {
    const { status, body } = await send(MODELS)
    expect(status).toBe(200)
    expect(body.object).toBe('list')
    for (const model of body.data as ListedModel[]) {
      expect(ListedModel.strict().parse(model)).toEqual(model)
      expect(model.created).toBeGreaterThan(1e9)
    }
    expect(await idsFor()).toEqual(idsOf('chat', 'embedding'))
  })

  it('lists models of one kind, or all', async () => {
    for (const kind of ModelKind.options) {
      const { data } = (await send(`${MODELS}?kind=${kind}`)).body as { data: ListedModel[] }
      expect(data.map((m) => m.id)).toEqual(idsOf(kind))
      expect(data.length).toBeGreaterThan(0)
    }
    expect(((await send(`${MODELS}?kind=all`)).body.data as object[]).length).toBe(allModels().length)
  })

  it('ignores what other services can be asked', async () => {
    const { status, body } = await send(`${MODELS}?limit=5&output_modalities=text&limit=6&after_id=x`)
    expect([status, body]).toEqual([200, (await send(MODELS)).body])
  })

  it('says what a model takes and makes, and what its cache costs', async () => {
    const { body } = await send(`${MODELS}?kind=all`)
    const byId = new Map((body.data as ListedModel[]).map((model) => [model.id, model]))
    expect(byId.get(id)?.architecture).toEqual({ input_modalities: ['text', 'image'], output_modalities: ['text'] })
    expect(byId.get('lantern/wick-embed')?.architecture.output_modalities).toEqual(['embeddings'])
    expect(byId.get('palette/ochre-fast')?.architecture).toEqual({
      input_modalities: ['text'],
      output_modalities: ['image'],
    })
    for (const { creditsPer1mCachedInput: cached, creditsPer1mCacheWrite: written, ...model } of allModels()) {
      const { pricing } = byId.get(model.id) ?? {}
      expect(pricing?.input).toBe(Number(model.creditsPer1mInput))
      expect(pricing?.cached_input).toBe(cached === undefined ? undefined : Number(cached))
      expect(pricing?.cache_write).toBe(written === undefined ? undefined : Number(written))
    }
  })

  it('is filtered to the key that is sent', async () => {
    const all = await makeCaller(10, { llm: true })
    expect(await idsFor(all.key.key)).toEqual(await idsFor())
    const some = await makeCaller(10, { llm: true, allowedModels: ['lumiere/reel-2', id] })
    expect(await idsFor(some.key.key)).toEqual([id])
    const { body } = await send(`${MODELS}?kind=video`, { key: some.key.key })
    expect((body.data as ListedModel[]).map((m) => m.id)).toEqual(['lumiere/reel-2'])
    const none = await makeCaller(10, { allowedModels: [id] })
    expect(await idsFor(none.key.key)).toEqual([])
    await expectUntouched(all.owner, 10)
  })

  it('is what the openai SDK lists and retrieves', async () => {
    const { key } = await makeCaller(10, { llm: true })
    const client = new OpenAI({ baseURL: 'http://127.0.0.1:3000/api/v1', apiKey: key.key, fetch: fetchFromListener })
    expect((await Array.fromAsync(client.models.list())).map((m) => m.id)).toEqual(await idsFor())
    expect(await client.models.retrieve(id)).toMatchObject({ id, object: 'model', owned_by: 'northwind' })
    await expect(client.models.retrieve('nobody/nothing')).rejects.toThrow(OpenAI.NotFoundError)
  })
})

describe('200 to a client of the messages API', () => {
  const headers = { 'anthropic-version': '2023-06-01' }

  it('lists the chat models in its form', async () => {
    const { key } = await makeCaller(10, { llm: true })
    const { status, body } = await send(`${MODELS}?limit=1000`, { headers: { ...headers, 'x-api-key': key.key } })
    const ids = idsOf('chat')
    expect(status).toBe(200)
    expect(body).toMatchObject({ has_more: false, first_id: ids[0], last_id: ids.at(-1) })
    expect(Object.keys(body).sort()).toEqual(['data', 'first_id', 'has_more', 'last_id'])
    const [first] = body.data as object[]
    expect(first).toEqual({
      type: 'model',
      id,
      display_name: 'Northwind Gale 4',
      created_at: '2026-01-01T00:00:00Z',
      max_input_tokens: 256_000,
      max_tokens: 64_000,
    })
    const none = await makeCaller(10)
    const empty = await send(MODELS, { headers, key: none.key.key })
    expect(empty.body).toEqual({ data: [], has_more: false, first_id: null, last_id: null })
  })

  it('gets one model, and refusals in its envelope', async () => {
    expect((await send(`${MODELS}/${id}`, { headers })).body).toMatchObject({ type: 'model', id })
    const missing = await send(`${MODELS}/nobody/nothing`, { headers })
    expect(missing).toMatchObject({ status: 404, body: { type: 'error', error: { type: 'not_found_error' } } })
    expect(missing.body.request_id).toBe(missing.headers.get('request-id'))
    const wrong = await send(MODELS, { headers, method: 'POST', body: {} })
    expect(wrong).toMatchObject({ status: 405, body: { type: 'error' } })
    const unknown = await send(MODELS, { headers, key: makeSecret() })
    expect(unknown).toMatchObject({ status: 401, body: { error: { type: 'authentication_error' } } })
  })
})

describe('200 on /models/{id}', () => {
  it.each([id, 'northwind%2Fgale-4', 'northwind%2fgale-4'])('is answered to %s', async (path) => {
    const { status, body } = await send(`${MODELS}/${path}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, kind: 'chat', vision: true, context_length: 256_000, pricing: { input: 8334 } })
  })
})

describe('the catalog', () => {
  it('lists the same models in its own form, and counts them', async () => {
    const { llm } = (await send('/api/v1/catalog')).body as { llm: { modelCount: number; models: object[] } }
    expect(llm.models).toEqual(allModels().map(describeModel))
    expect(llm.modelCount).toBe(llm.models.length)
    expect(llm.models.length).toBeGreaterThan(0)
    for (const model of llm.models) {
      expect(Object.keys(model).sort()).toEqual([
        'contextSize',
        'creditsPer1mInput',
        'creditsPer1mOutput',
        'id',
        'name',
        'provider',
        'simulated',
        'vision',
      ])
    }
    const { text } = await send('/api/v1/catalog?format=md')
    for (const model of allModels()) expect(text).toContain(`| \`${model.id}\` | ${model.name} |`)
    expect(text).toContain('## Chat completions')
  })
})

describe('404 in the chat envelope', () => {
  it.each(['nobody/nothing', 'northwind', 'northwind/gale-4/x', 'a/b/c/d', '%2F', '__proto__'])(
    'for %s',
    async (path) => {
      const { status, body } = await send(`${MODELS}/${path}`)
      expect(status).toBe(404)
      expect(body).toMatchObject(chatError('invalid_request_error', 'not_found'))
      expect(body).not.toHaveProperty('service')
    },
  )

  it('for a model the key may not use', async () => {
    const { key } = await makeCaller(10, { llm: true, allowedModels: [id] })
    expect(await send(`${MODELS}/${id}`, { key: key.key })).toMatchObject({ status: 200 })
    expect(await send(`${MODELS}/northwind/gale-4-mini`, { key: key.key })).toMatchObject({ status: 404 })
  })
})

describe('other refusals in the chat envelope', () => {
  it('401 to a key that is not valid, though none is needed', async () => {
    for (const path of [MODELS, `${MODELS}/${id}`]) {
      const { status, body } = await send(path, { key: makeSecret() })
      expect(status).toBe(401)
      expect(body).toMatchObject(chatError('authentication_error', 'unauthorized'))
    }
  })
  it('429 when the minute is used up', async () => {
    const { key } = await makeCaller(10, { llm: true, rpm: 1 })
    await send(MODELS, { key: key.key })
    const { status, body, headers } = await send(MODELS, { key: key.key })
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(body).toMatchObject(chatError('rate_limit_error', 'rate_limited'))
  })
  it('405 with Allow', async () => {
    for (const path of [MODELS, `${MODELS}/${id}`]) {
      const { status, headers, body } = await send(path, { method: 'DELETE' })
      expect(status).toBe(405)
      expect(headers.get('allow')).toBe('GET')
      expect(body).toMatchObject(chatError('invalid_request_error', 'method_not_allowed'))
    }
  })
  it('400 for a kind that does not exist and an invalid path', async () => {
    for (const path of [`${MODELS}?kind=audio`, `${MODELS}?kind=chat&kind=image`, `${MODELS}/%E0%A4%A`]) {
      const { status, body } = await send(path)
      expect(status, path).toBe(400)
      expect(body).toMatchObject(chatError('invalid_request_error', 'invalid_request'))
    }
  })
})
