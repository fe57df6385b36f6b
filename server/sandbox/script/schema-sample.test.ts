import { expect, test } from 'vitest'
import { z } from 'zod'
import { sampleOfSchema } from './schema-sample'

const Tree: z.ZodType = z.lazy(() => z.object({ name: z.string(), parent: Tree.optional() }))

test.each([
  z.object({ city: z.string(), degrees: z.number(), sunny: z.boolean(), note: z.string().optional() }),
  z.object({
    kind: z.literal('a'),
    size: z.enum(['s', 'm']),
    list: z.array(z.object({ n: z.int().min(5).max(9) })).min(2),
  }),
  z.object({
    either: z.union([z.null(), z.string()]),
    at: z.iso.datetime(),
    id: z.uuid(),
    code: z.string().min(80).max(90),
  }),
  z.object({ short: z.string().max(3), more: z.number().gt(3) }),
  Tree,
])('a sample satisfies its schema %#', (schema) => {
  const json = z.toJSONSchema(schema)
  const sample = sampleOfSchema(json, 'sandbox')
  expect(schema.parse(sample)).toEqual(sample)
  expect(sampleOfSchema(json, 'sandbox')).toEqual(sample)
})

test('what is no schema is a text', () => {
  expect(sampleOfSchema(undefined, 'x')).toBe('x')
  expect(sampleOfSchema({}, 'x')).toBe('x')
})
