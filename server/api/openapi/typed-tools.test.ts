import { expect, test } from 'vitest'
import { availableTools } from '../../tools/registry'
import { openApiDocument } from './document'
import { toolTypeName, typedOpenApiDocument } from './typed-tools'

const URL = 'http://localhost:3000'
const typed = await typedOpenApiDocument(URL)
const schemas = typed.components?.schemas as Record<string, Record<string, unknown>>

test('each tool has a schema of its call, its parameters and its result', () => {
  for (const { id } of availableTools()) {
    const name = toolTypeName(id)
    expect(schemas[`${name}Call`]).toMatchObject({ properties: { tool: { const: id } } })
    expect(schemas[`${name}Params`]).toMatchObject({ type: 'object', additionalProperties: false })
    expect(schemas[`${name}Result`]).toMatchObject({ properties: { service: expect.anything() } })
  }
})

test('a call is told apart by its tool', () => {
  expect(schemas.ToolCall).toMatchObject({
    oneOf: expect.arrayContaining([{ $ref: '#/components/schemas/WebSearchCall' }]),
    discriminator: { propertyName: 'tool', mapping: { web_search: '#/components/schemas/WebSearchCall' } },
  })
  const body = JSON.stringify(typed.paths?.['/query']?.post?.requestBody)
  expect(body).toContain('#/components/schemas/ToolCall')
})

test('every reference leads to a schema, and it is not much longer than the usual document', async () => {
  const text = JSON.stringify(typed)
  for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
    expect(schemas).toHaveProperty([name])
  expect(text.length).toBeLessThan(JSON.stringify(await openApiDocument(URL)).length + 60_000)
  expect(text.length).toBeLessThan(460_000)
})
