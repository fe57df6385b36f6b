import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { describeTool } from '../../server/catalog/describe'
import { CAPABILITIES } from '../../server/tools/define'
import { exampleInput } from '../../server/tools/example'
import { outputJsonSchema, paramsJsonSchema } from '../../server/tools/params'
import { availableTools, toolGroups } from '../../server/tools/registry'
import { closeChromium } from '../../server/tools/web/chromium'
import { callQuery, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { SOURCE_ROOT } from '../support/source-imports'

withSandbox()
afterAll(closeChromium)

const every = toolGroups.flatMap((group) => group.tools.map((tool) => ({ id: tool.id, tool, group })))

/**
 * Checks a value against a schema as declared, and refuses fields it does not declare at its top.
 */
function expectValid(schema: z.ZodType, value: unknown): void {
  const declared = schema instanceof z.ZodObject && !schema.def.catchall ? schema.strict() : schema
  const { error } = declared.safeParse(value)
  expect(error?.issues ?? []).toEqual([])
}

describe.each(every)('$id', ({ id, tool, group }) => {
  test('is in the file of its name, under its group’s prefix', () => {
    expect(readdirSync(path.join(SOURCE_ROOT, 'server/tools', group.id))).toContain(`${id}.ts`)
    expect(group.prefixes ?? [group.id]).toContain(id.split('_')[0])
    expect(id).toMatch(/^[a-z]+(_[a-z]+)+$/)
  })

  test('has a test beside it', () => {
    const files = readdirSync(path.join(SOURCE_ROOT, 'server/tools', group.id))
    expect(
      files.filter((file) => /^\w+(\.db|\.process)?\.test\.ts$/.test(file)).map((file) => file.split('.')[0]),
    ).toContain(id)
  })

  test('has a complete catalog entry', () => {
    const entry = describeTool(tool)
    expect(entry).toMatchObject({ id, group: group.label })
    expect(CAPABILITIES).toContain(tool.capability)
    expect(entry.label).toMatch(/^[A-Z].{2,40}$/)
    expect(entry.description).toMatch(/^[A-Z].{20,}\.$/s)
    expect(entry.params.map((p) => p.name)).toEqual(Object.keys(tool.params.shape))
    for (const param of entry.params) {
      expect(param.description, param.name).toMatch(/^\S.*\.$/s)
      expect(param.type, param.name).toMatch(/^((string|number|integer|boolean|object|unknown)(\[\])?|"|\()/)
    }
  })

  test('has schemas that say nothing is allowed beyond them', () => {
    expect(paramsJsonSchema(tool)).toMatchObject({ type: 'object', additionalProperties: false })
    expect(outputJsonSchema(tool)).toMatchObject({ type: 'object' })
    const names = Object.keys(tool.params.shape)
    for (const name of ['service', 'tool', 'params']) expect(names).not.toContain(name)
  })

  test('has an example that fits', () => {
    expect(tool.params.safeParse(exampleInput(tool)).error).toBeUndefined()
    if (tool.example !== undefined) expect(tool.params.safeParse(tool.example).error).toBeUndefined()
  })

  test('refuses a parameter nobody knows, and __proto__', () => {
    const example = exampleInput(tool)
    expect(tool.params.safeParse({ ...example, nobodyKnowsThis: 1 }).success).toBe(false)
    const sly: unknown = JSON.parse(`{"__proto__": {}, ${JSON.stringify(example).slice(1)}`.replace(', }', '}'))
    expect(tool.params.safeParse(sly).success).toBe(false)
  })

  test('refuses every parameter of a wrong type', () => {
    const example = exampleInput(tool)
    for (const name of Object.keys(tool.params.shape)) {
      for (const wrong of [Symbol.iterator, null])
        expect(tool.params.safeParse({ ...example, [name]: wrong }).success, name).toBe(false)
    }
  })
})

describe.each(availableTools().map((tool) => ({ id: tool.id, tool })))('$id in the sandbox', ({ id, tool }) => {
  const example = () => exampleInput(tool)

  test('answers its example with what its output schema declares', async () => {
    const { key } = await makeCaller(10_000)
    const { status, body } = await callQuery(key.key, id, example())
    expect(status, JSON.stringify(body)).toBe(200)
    const { service, ...result } = body
    expect(service).toEqual({ credits_charged: expect.any(Number) })
    expectValid(tool.output, result)
  })

  test('answers the same twice, but for hosted files', async () => {
    const { key } = await makeCaller(10_000)
    const plain = (body: unknown) => JSON.stringify(body).replace(/[0-9a-f]{32}/g, '')
    const [first, second] = [await callQuery(key.key, id, example()), await callQuery(key.key, id, example())]
    expect(plain(second.body)).toBe(plain(first.body))
  })
})

test('the sandbox has every tool: nothing is switched off where no key is needed', () => {
  expect(availableTools().map((t) => t.id)).toEqual(every.map((t) => t.id))
})
