import { describe, expect, test } from 'vitest'
import { restOperations } from '../operations'
import { printSchema, typesMentioned } from './print-schema'
import { readReference } from './reference'

const operations = await readReference()
const find = (id: string) => operations.find((operation) => operation.id === id)

/** A value for each parameter of a path. */
const ID = '019a3db0-0000-7000-8000-000000000000'

test('the reference has every operation once, with what it costs', () => {
  const ids = operations.map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)])
  for (const { openapi } of restOperations()) expect(ids).toContain(openapi.operationId)
  for (const { cost, summary, path } of operations) {
    expect(cost).toMatch(/^\w.*\.$/)
    expect(summary).not.toBe('')
    expect(path).toMatch(/^\/(api\/v1|files)\//)
  }
  const { billed, free } = Object.groupBy(restOperations(), ({ rest }) =>
    rest.traits?.some((trait) => trait === 'billed' || trait === 'paid' || trait === 'each') ? 'billed' : 'free',
  )
  for (const { openapi } of billed ?? []) expect(find(openapi.operationId)?.cost).not.toBe('Free.')
  for (const { openapi } of free ?? []) expect(find(openapi.operationId)?.cost).toMatch(/free|Free/)
})

test('only what anyone may call needs no key', () => {
  const open = operations.filter(({ needsKey }) => !needsKey).map(({ id }) => id)
  expect(open.sort()).toEqual(['getCatalog', 'getFile', 'getModel', 'getOpenApi', 'listModelEndpoints', 'listModels'])
})

const taking = restOperations().filter(({ openapi, input }) => find(openapi.operationId)?.body && input)

test.each(taking.map((operation) => ({ operation, id: operation.openapi.operationId })))(
  'the example of $id is a body that it takes',
  ({ operation: { input, openapi } }) => {
    const { body } = find(openapi.operationId) ?? {}
    const id = /^\/manage\/(keys|customers|members)/.test(openapi.path) && openapi.method !== 'PUT' ? 7 : ID
    const inPath = [...openapi.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, id])
    const parsed = input?.safeParse({ ...Object.fromEntries(inPath), ...Object(body?.example) })
    expect(parsed?.error?.issues ?? []).toEqual([])
  },
)

describe('a schema', () => {
  test('is a type in which references are names', () => {
    const job = { $ref: '#/components/schemas/AgentJob' }
    expect(printSchema(job)).toBe('AgentJob')
    expect(printSchema({ type: 'array', items: job })).toBe('AgentJob[]')
    expect(printSchema({ type: 'object', properties: { a: job, b: { type: 'string' } }, required: ['a'] })).toBe(
      '{ a: AgentJob; b?: string }',
    )
  })

  test('of the result of any tool names them, and declares what all of them have', () => {
    const types = find('query')?.types ?? []
    expect(types.map(({ name }) => name)).toEqual(['QueryResult', 'query202', 'Service'])
    expect(types[0]).toMatchObject({ isWide: true, code: expect.stringContaining('WebSearchResult | ') })
  })

  test('mentions names directly and through others, up to some', () => {
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    const schemas = { A: { type: 'array', items: ref('B') }, B: { type: 'string' }, C: { type: 'null' } }
    expect(typesMentioned([{ content: ref('A') }], schemas)).toEqual([
      { name: 'A', code: 'type A = B[]' },
      { name: 'B', code: 'type B = string' },
    ])
  })
})
