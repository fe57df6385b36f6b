import { describe, expect, it } from 'vitest'
import { toolResultName } from '../../server/api/openapi/tool-results'
import { restOperations } from '../../server/api/operations'
import { ERROR_CODES, REASONS } from '../../server/errors'
import { makeSecret } from '../../server/keys/secret'
import { availableTools } from '../../server/tools/registry'
import { send, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'

withSandbox()
const OPENAPI = '/api/v1/openapi.json'
type Schema = Record<string, unknown>
type Response = {
  description: string
  headers?: Record<string, object>
  content?: Record<string, { schema: Schema }>
}
type Operation = {
  operationId: string
  summary: string
  security?: unknown[]
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, Response>
}
type Document = {
  openapi: string
  info: Schema
  tags: { name: string; description: string }[]
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Response>
    parameters: Schema
    securitySchemes: Schema
  }
}
const document = async () => (await send(OPENAPI)).body as unknown as Document

/** Every value under a name, anywhere in a document. */
function find(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [...(key === name ? [inner] : []), ...find(inner, name)])
}

describe('200', () => {
  it('is OpenAPI 3.1 for this very address, for anyone', async () => {
    const answer = await send(OPENAPI)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    const { openapi, info, servers } = await document()
    expect(openapi).toMatch(/^3\.1\./)
    expect(info).toMatchObject({ title: expect.any(String), version: expect.any(String) })
    expect(servers).toEqual([{ url: 'http://localhost:3000/api/v1' }])
  })

  it('has every operation and no other', async () => {
    const { paths } = await document()
    const listed = Object.entries(paths).flatMap(([path, at]) =>
      Object.keys(at).flatMap((method) => (method === 'servers' ? [] : [`${method.toUpperCase()} ${path}`])),
    )
    const procedures = restOperations().map((o) => `${o.openapi.method} ${o.openapi.path}`)
    expect(listed.sort()).toEqual([...procedures, 'GET /openapi.json', 'POST /mcp', 'GET /files/{fileId}'].sort())
  })

  it('gives each operation an id, a summary, a tag that is described, and its errors in its envelope', async () => {
    const { paths, components, tags } = await document()
    for (const { openapi, chatErrors, rest } of restOperations()) {
      const operation = paths[openapi.path]?.[openapi.method.toLowerCase()] ?? expect.unreachable()
      expect(operation.operationId).toMatch(/^\w+$/)
      expect(operation.summary).toMatch(/\S/)
      expect(tags.find(({ name }) => name === openapi.tags[0])?.description).not.toBe(openapi.tags[0])
      const envelope = chatErrors ? 'ChatError' : rest.errors === 'messages' ? 'MessagesError' : 'Error'
      const errors = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400)
      expect(errors.length).toBeGreaterThan(0)
      for (const [status, response] of errors) {
        expect(response).toEqual({ $ref: `#/components/responses/${envelope}${status}` })
        expect(components.responses[`${envelope}${status}`]?.content?.['application/json']?.schema).toEqual({
          $ref: `#/components/schemas/${envelope}`,
        })
      }
    }
  })

  it('has the statuses of each operation: by how it is called, and by what it does', async () => {
    const { paths } = await document()
    const statusesOf = (path: string, method: string) => Object.keys(paths[path]?.[method]?.responses ?? {}).map(Number)
    const every = [400, 401, 429, 500, 503]
    expect(statusesOf('/catalog', 'get')).toEqual([200, ...every])
    expect(statusesOf('/key', 'get')).toEqual([200, 400, 401, 403, 429, 500, 503])
    expect(statusesOf('/usage/{requestId}', 'get')).toEqual([200, 400, 401, 403, 404, 429, 500, 503])
    expect(statusesOf('/agent', 'post')).toEqual([200, 202, 400, 401, 402, 403, 404, 408, 409, 413, 415, 429, 500, 503])
    expect(statusesOf('/agent/{jobId}/events', 'get')).toEqual([200, 204, 400, 401, 403, 404, 429, 500, 503])
    expect(statusesOf('/query', 'post')).toEqual([
      200, 202, 400, 401, 402, 403, 408, 409, 413, 415, 422, 429, 500, 502, 503,
    ])
  })

  it('says which operations need a key, and in which headers it may be', async () => {
    const { paths, components } = await document()
    expect(components.securitySchemes).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    })
    for (const { openapi } of restOperations()) {
      const either = [{ bearer: [] }, { apiKey: [] }]
      const { security } = paths[openapi.path]?.[openapi.method.toLowerCase()] ?? {}
      expect(security, openapi.path).toEqual(openapi.protect ? either : [{}, ...either])
    }
    expect(paths['/catalog']?.get?.security?.[0]).toEqual({})
  })

  it('has the content types of streams and Markdown, and the headers of requests and responses', async () => {
    const { paths, components } = await document()
    const chat = paths['/chat/completions']?.post
    expect(Object.keys(chat?.responses['200']?.content ?? {})).toEqual(['application/json', 'text/event-stream'])
    expect(chat?.parameters).toEqual([
      { $ref: '#/components/parameters/idempotency-key' },
      { $ref: '#/components/parameters/x-tollgate-customer' },
    ])
    expect(Object.keys(chat?.responses['200']?.headers ?? {})).toContain('Idempotent-Replayed')
    expect(Object.keys(paths['/catalog']?.get?.responses['200']?.content ?? {})).toContain('text/markdown')
    const events = paths['/agent/{jobId}/events']?.get
    expect(Object.keys(events?.responses['200']?.content ?? {})).toEqual(['text/event-stream'])
    expect(events?.responses['204']).not.toHaveProperty('content')
    expect(events?.parameters).toContainEqual({ $ref: '#/components/parameters/last-event-id' })
    expect(components.parameters).toMatchObject({
      'idempotency-key': { name: 'Idempotency-Key', in: 'header' },
      'last-event-id': { name: 'Last-Event-ID', in: 'header' },
    })
    expect(Object.keys(components.responses.Error429?.headers ?? {})).toEqual([
      'x-request-id',
      'x-ratelimit-limit-requests',
      'x-ratelimit-remaining-requests',
      'x-ratelimit-reset-requests',
      'Retry-After',
    ])
  })

  it('names the shapes that clients meet, and the result of every tool with its billing block', async () => {
    const { components, paths } = await document()
    const { schemas } = components
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['AgentJob', 'Receipt', 'Model', 'Error', 'Service']))
    expect(Object.keys(schemas).filter((name) => name.endsWith('Output'))).toEqual([])
    expect(paths['/query']?.post?.responses['200']?.content?.['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/QueryResult',
    })
    const results = availableTools().map(({ id }) => toolResultName(id))
    expect(schemas.QueryResult?.anyOf).toEqual(results.map((name) => ({ $ref: `#/components/schemas/${name}` })))
    for (const name of results) {
      expect(schemas[name]).toMatchObject({
        required: expect.arrayContaining(['service']),
        properties: { service: { $ref: '#/components/schemas/Service' } },
      })
    }
    for (const service of find({ paths, schemas }, 'service')) {
      expect(service).toMatchObject({ $ref: '#/components/schemas/Service' })
    }
  })

  it('describes the body of a call and its parameters as they are', async () => {
    const { paths } = await document()
    expect(paths['/query']?.post?.requestBody?.content['application/json']?.schema).toMatchObject({
      type: 'object',
      required: ['tool'],
      properties: { tool: { type: 'string' }, params: { type: 'object' } },
      additionalProperties: false,
    })
    const usage = paths['/usage']?.get?.parameters ?? []
    expect(usage.map((p) => `${p.in} ${p.name}`)).toEqual(
      ['keyId', 'what', 'status', 'product', 'jobId', 'customer', 'from', 'to', 'limit', 'cursor'].map(
        (name) => `query ${name}`,
      ),
    )
    expect(usage.some((p) => p.required)).toBe(false)
    expect(paths['/usage/{requestId}']?.get?.parameters).toMatchObject([
      { in: 'path', name: 'requestId', required: true },
    ])
  })

  it('has no reference that leads nowhere, and operation ids that are unique', async () => {
    const made = await document()
    for (const ref of find(made, '$ref') as string[]) expect(made).toHaveProperty(ref.slice(2).split('/'))
    const ids = find(made.paths, 'operationId')
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('lists every code of the error envelope', async () => {
    const { components } = await document()
    expect(components.schemas.Error).toMatchObject({
      required: ['error', 'code', 'reason', 'retryable'],
      properties: { code: { enum: Object.keys(ERROR_CODES) }, reason: { enum: Object.keys(REASONS) } },
    })
    expect(components.schemas.Service).toMatchObject({ required: ['credits_charged'] })
  })

  it('counts in the window of a key that is sent', async () => {
    const { key } = await makeCaller()
    const answer = await send(OPENAPI, { key: key.key })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('9999')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

describe('401', () => {
  it('is answered to a key that is not valid, though none is needed', async () => {
    for (const key of [makeSecret(), 'x']) {
      expect(await send(OPENAPI, { key })).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    }
  })
})

describe('405', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('is answered to %s with what is allowed', async (method) => {
    const answer = await send(OPENAPI, { method })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD')
  })
})
