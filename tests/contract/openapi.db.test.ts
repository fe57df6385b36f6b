import { describe, expect, it } from 'vitest'
import { restOperations } from '../../server/api/operations'
import { ERROR_CODES } from '../../server/errors'
import { makeSecret } from '../../server/keys/secret'
import { send, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'

withSandbox()
const OPENAPI = '/api/v1/openapi.json'
type Schema = Record<string, unknown>
type Operation = {
  operationId: string
  summary: string
  security?: unknown[]
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>
}
type Document = {
  openapi: string
  info: Schema
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; securitySchemes: Schema }
}
const document = async () => (await send(OPENAPI)).body as unknown as Document

/** Whether an operation speaks to chat SDKs. */
const ENVELOPES = { chat: 'ChatError', messages: 'MessagesError', usual: 'Error' }
const envelopeOf = (id: string) =>
  ENVELOPES[restOperations().find((o) => o.openapi.operationId === id)?.errors ?? 'usual']

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
      Object.keys(at).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(listed.sort()).toEqual(
      restOperations()
        .map((o) => `${o.openapi.method} ${o.openapi.path}`)
        .sort(),
    )
    expect(listed).toContain('POST /query')
    expect(listed).toContain('GET /usage/{requestId}')
    expect(Object.keys(paths['/agent']?.post?.responses ?? {})).toEqual(expect.arrayContaining(['200', '202']))
  })

  it('gives each operation an id, a summary, its success and every error in its envelope', async () => {
    const { paths } = await document()
    const known = new Map(restOperations().map((o) => [o.openapi.operationId, o]))
    const statuses = [...new Set(Object.values(ERROR_CODES).map((row) => String(row.status)))].sort()
    for (const operation of Object.values(paths).flatMap((at) => Object.values(at))) {
      expect(operation.operationId).toMatch(/^\w+$/)
      expect(operation.summary).toMatch(/\S/)
      const { success = 0, alsoSuccess } = known.get(operation.operationId ?? '') ?? {}
      const successes = [success, alsoSuccess].filter((status) => status !== undefined).map(String)
      expect(Object.keys(operation.responses).sort()).toEqual([...successes, ...statuses].sort())
      for (const status of statuses) {
        expect(operation.responses[status]?.content?.['application/json']?.schema).toEqual({
          $ref: `#/components/schemas/${envelopeOf(operation.operationId)}`,
        })
      }
    }
  })

  it('says which operations need a key', async () => {
    const { paths, components } = await document()
    expect(paths['/query']?.post?.security).toEqual([{ Authorization: [] }])
    expect(components.securitySchemes).toMatchObject({ Authorization: { type: 'http', scheme: 'bearer' } })
    expect(paths['/catalog']?.get?.security ?? []).toEqual([])
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
      ['keyId', 'what', 'status', 'product', 'from', 'to', 'limit', 'cursor'].map((name) => `query ${name}`),
    )
    expect(usage.some((p) => p.required)).toBe(false)
    expect(paths['/usage/{requestId}']?.get?.parameters).toMatchObject([
      { in: 'path', name: 'requestId', required: true },
    ])
  })

  it('has no reference that leads nowhere, and operation ids that are unique', async () => {
    const made = await document()
    for (const ref of find(made, '$ref') as string[])
      expect(made.components.schemas).toHaveProperty([ref.replace('#/components/schemas/', '')])
    const ids = find(made.paths, 'operationId')
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('lists every code of the error envelope', async () => {
    const { components } = await document()
    expect(components.schemas.Error).toMatchObject({
      required: ['error', 'code'],
      properties: { code: { enum: Object.keys(ERROR_CODES) }, service: { required: ['credits_charged'] } },
    })
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
