import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isRecord } from '../../server/kit/record'
import { availableTools } from '../../server/tools/registry'
import { closeChromium } from '../../server/tools/web/chromium'
import { callQuery, chargedTo, send, withSandbox } from '../support/api'
import { followUpArguments, nextPageArguments, textsByName } from '../support/catalog-client/arguments'
import { mismatches } from '../support/catalog-client/mismatches'
import { type ApiDocument, type DocumentedTool, readApiDocument } from '../support/catalog-client/read-document'
import { makeCaller } from '../support/owners'

withSandbox()
afterAll(closeChromium)

/** All that the client knows. */
let api: ApiDocument
let caller: Awaited<ReturnType<typeof makeCaller>>
let spent = 0

beforeAll(async () => {
  api = readApiDocument((await send('/api/v1/catalog?format=md')).text)
  caller = await makeCaller(1_000_000, { llm: true, agent: true })
})

const ids = () => availableTools().map(({ id }) => id)
const toolOf = (id: string): DocumentedTool => {
  const tool = api.tools.find(({ name }) => name === id)
  if (!tool) throw new Error(`${id} is not in the document`)
  return tool
}

/** Calls a tool as documented: its price, and its result, which must be of the declared type. */
async function call(tool: DocumentedTool, params: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { status, body } = await callQuery(caller.key.key, tool.name, params)
  const { service, ...result } = body
  expect(status, `${tool.name} ${JSON.stringify(params)}: ${JSON.stringify(body)}`).toBe(200)
  expect(mismatches(service, { kind: 'name', name: 'Service' }, api.types)).toEqual([])
  const charged = isRecord(service) ? Number(service.credits_charged) : 0
  if (tool.credits !== null) expect(charged, tool.name).toBe(tool.credits)
  spent += charged
  expect(mismatches(result, tool.returns, api.types)).toEqual([])
  return result
}

describe('a client that has read the Markdown document and nothing else', () => {
  it('finds every tool, with an example that has what is required', () => {
    expect(api.tools.map(({ name }) => name)).toEqual(ids())
    for (const { name, params, example } of api.tools) {
      const required = params.flatMap((param) => (param.isOptional || param.name === 'limit' ? [] : [param.name]))
      for (const each of required.filter((param) => param !== 'searchType'))
        expect(Object.keys(example), name).toContain(each)
      for (const [param, value] of Object.entries(example)) {
        const field = params.find((one) => one.name === param)
        expect(field && mismatches(value, field.type, api.types), `${name}.${param}`).toEqual([])
      }
    }
  })

  const results = new Map<string, Map<string, unknown[]>>()

  it.each(ids())('calls %s', async (id) => {
    const result = await call(toolOf(id), toolOf(id).example)
    const [group = ''] = id.split('_')
    results.set(group, textsByName(result, results.get(group)))
    const { nextCursor } = result
    if (typeof nextCursor === 'string') await call(toolOf(id), nextPageArguments(toolOf(id), api.types, nextCursor))
  })

  it('calls tools with what others of their group returned, because ids have one name', async () => {
    const followed: string[] = []
    for (const tool of api.tools) {
      const [group = ''] = tool.name.split('_')
      const params = followUpArguments(tool, results.get(group) ?? new Map())
      // A screenshot takes seconds, and the input of an actor is of its own kind.
      if (!params || ['web_screenshot', 'marketplace_run_actor'].includes(tool.name)) continue
      await call(tool, params)
      followed.push(tool.name)
    }
    expect(followed).toEqual(
      expect.arrayContaining([
        'web_read_url',
        'crypto_get_prices',
        'forum_post',
        'forum_community',
        'microblog_user_posts',
        'microblog_post_comments',
        'microblog_followers',
        'videosite_transcript',
        'property_details',
        'property_agency_profile',
        'marketplace_actor_details',
      ]),
    )
  })

  it('chats with each chat model of the table', async () => {
    const models = api.modelsOf('Chat models')
    expect(models.length).toBeGreaterThan(3)
    for (const model of models.slice(0, 3)) {
      const body = { model, messages: [{ role: 'user', content: 'Hello' }] }
      const answer = await send(`${api.basePath}/chat/completions`, { key: caller.key.key, body })
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      expect(mismatches(answer.body.service, { kind: 'name', name: 'Service' }, api.types)).toEqual([])
      spent += Number((answer.body.service as { credits_charged: number }).credits_charged)
    }
    for (const heading of ['Embedding models', 'Image models', 'Video models'])
      expect(api.modelsOf(heading), heading).not.toEqual([])
  })

  it('was charged what it added up, and finds it in the receipts', async () => {
    expect(await chargedTo(caller.owner)).toBe(spent)
    const { body } = await send(`${api.basePath}/usage?limit=100`, { key: caller.key.key })
    const { rows } = body as { rows: { credits: { charged: number } }[] }
    for (const row of rows) expect(mismatches(row, { kind: 'name', name: 'Receipt' }, api.types)).toEqual([])
    expect(rows.reduce((sum, { credits }) => sum + credits.charged, 0)).toBe(spent)
  })

  it.each([
    ['GET', '/key', 200, 'KeyStatus'],
    ['POST', '/agent', 202, 'StartedJob', { goal: 'Say hello.', idempotencyKey: randomUUID() }],
    ['POST', '/query', 400, 'ApiError', { tool: 'web_search', params: { query: 'x', colour: 'red' } }],
    ['POST', '/query', 400, 'ApiError', { tool: 'no_such_tool', params: {} }],
    ['GET', '/usage/none', 404, 'ApiError'],
  ] as [string, string, number, string, object?][])(
    '%s %s is answered %i with %s',
    async (method, path, status, name, body) => {
      const answer = await send(`${api.basePath}${path}`, { method, key: caller.key.key, body })
      expect(answer.status, JSON.stringify(answer.body)).toBe(status)
      expect(mismatches(answer.body, { kind: 'name', name }, api.types)).toEqual([])
      if (name !== 'StartedJob') return
      const job = await send(String(answer.body.poll), { key: caller.key.key })
      expect(mismatches(job.body, { kind: 'name', name: 'Job' }, api.types)).toEqual([])
    },
  )
})
