import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { makeSecret } from '../../server/keys/secret'
import { allModels, describeModel } from '../../server/models/registry'
import { ListedModel } from '../../server/models/shape'
import { send, withSandbox } from '../support/api'
import { expectUntouched } from '../support/ledger'
import { fetchFromListener } from '../support/listener'
import { makeCaller } from '../support/owners'

withSandbox()
const MODELS = '/api/v1/models'
const id = 'northwind/gale-4'
const idsFor = async (key?: string) => ((await send(MODELS, { key })).body.data as ListedModel[]).map((m) => m.id)
const chatError = (type: string, code: string) => ({ error: { message: expect.stringMatching(/\S/), type, code } })

describe('200 on /models', () => {
  it('lists every model to anyone, with what chat SDKs know and our own fields', async () => {
    const { status, body } = await send(MODELS)
    expect(status).toBe(200)
    expect(body.object).toBe('list')
    for (const model of body.data as ListedModel[]) expect(ListedModel.strict().parse(model)).toEqual(model)
    expect(await idsFor()).toEqual(allModels().map((m) => m.id))
  })

  it('is filtered to the key that is sent', async () => {
    const all = await makeCaller(10, { llm: true })
    expect(await idsFor(all.key.key)).toEqual(await idsFor())
    const some = await makeCaller(10, { llm: true, allowedModels: ['lumiere/reel-2', id] })
    expect(await idsFor(some.key.key)).toEqual([id, 'lumiere/reel-2'])
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
  it('400 for an unknown parameter and an invalid path', async () => {
    for (const path of [`${MODELS}?limit=5`, `${MODELS}/%E0%A4%A`]) {
      const { status, body } = await send(path)
      expect(status, path).toBe(400)
      expect(body).toMatchObject(chatError('invalid_request_error', 'invalid_request'))
    }
  })
})
