import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from './define'
import { ASKS_PROVIDER } from './flow'
import { describeParams, outputJsonSchema, paramsJsonSchema } from './params'

const sample = (params: z.ZodObject, output: z.ZodType = z.object({})) =>
  defineTool({
    id: 'test_sample',
    label: 'Sample',
    capability: 'web',
    description: 'A sample.',
    params,
    output,
    pricing: { kind: 'fixed', credits: 1 },
    annotations: { readOnly: true, openWorld: true, idempotent: true },
    flow: ASKS_PROVIDER,
    available: () => true,
    run: async () => ({}),
  })

const typesOf = (params: z.ZodObject) => Object.fromEntries(describeParams(sample(params)).map((p) => [p.name, p.type]))

test('types are TypeScript expressions', () => {
  const params = z.strictObject({
    text: z.string().trim().min(1),
    number: z.number().default(1),
    integer: z.int().optional(),
    flag: z.boolean().default(true),
    texts: z.array(z.string()),
    integers: z.array(z.int()).optional(),
    sizes: z.array(z.literal([0, 1, 2])).optional(),
    choice: z.enum(['a', 'b']).default('a'),
    one: z.literal('x'),
    choices: z.array(z.enum(['a', 'b'])),
    object: z.strictObject({ width: z.int() }).optional(),
    input: z.record(z.string(), z.unknown()),
    either: z.union([z.string(), z.number()]),
    maybe: z.string().nullable(),
    url: z.url(),
    turned: z
      .string()
      .transform((s) => s.length)
      .pipe(z.number()),
  })
  expect(typesOf(params)).toEqual({
    text: 'string',
    number: 'number',
    integer: 'integer',
    flag: 'boolean',
    texts: 'string[]',
    integers: 'integer[]',
    sizes: 'integer[]',
    choice: '"a" | "b"',
    one: '"x"',
    choices: '("a" | "b")[]',
    object: 'object',
    input: 'object',
    either: 'string | number',
    maybe: 'string | null',
    url: 'string',
    turned: 'string',
  })
})

test('a parameter with a default is optional unless it is marked, and is not refused when absent either way', () => {
  const params = z.strictObject({
    id: z.string(),
    plain: z.number().default(10),
    marked: z.number().max(40).default(20).describe('How many.').meta({ required: true }),
    markedFirst: z.number().meta({ required: true }).max(40).default(20).describe('How many.'),
    optional: z.string().optional(),
  })
  const required = describeParams(sample(params)).filter((p) => p.required)
  expect(required.map((p) => p.name)).toEqual(['id', 'marked', 'markedFirst'])
  expect(params.parse({ id: 'x' })).toEqual({ id: 'x', plain: 10, marked: 20, markedFirst: 20 })
})

test('descriptions end with default and range in words', () => {
  const params = z.strictObject({
    a: z.number().max(250).default(50).describe('Rows a page'),
    b: z.int().min(1).max(100).default(25).describe('How many.'),
    c: z.int().min(1).default(1),
    d: z.string().default('usd').describe('Currency (lowercase)'),
    e: z.array(z.string()).max(50).default(['usd']).describe('Currencies.'),
    f: z.number().positive().max(25).optional().describe('Cap.'),
    g: z.boolean().default(false).describe('Whether?'),
    h: z.string().describe('Text'),
    i: z.int().optional().describe('Whole'),
  })
  expect(describeParams(sample(params)).map((p) => p.description)).toEqual([
    'Rows a page. Default 50, at most 250.',
    'How many. Default 25, from 1 to 100.',
    'Default 1, at least 1.',
    'Currency (lowercase). Default usd.',
    'Currencies. Default ["usd"], at most 50 items.',
    'Cap. More than 0, at most 25.',
    'Whether? Default false.',
    'Text.',
    'Whole.',
  ])
})

test('the JSON Schema of parameters is closed, requires nothing that has a default and has no internal marks', () => {
  const tool = sample(
    z.strictObject({ id: z.string(), limit: z.int().default(20).meta({ required: true }), size: z.int().optional() }),
  )
  expect(paramsJsonSchema(tool)).toEqual({
    type: 'object',
    properties: {
      id: { type: 'string' },
      limit: { type: 'integer', default: 20 },
      size: { type: 'integer' },
    },
    required: ['id'],
    additionalProperties: false,
  })
  expect(paramsJsonSchema(tool)).toBe(paramsJsonSchema(tool))
  expect(describeParams(tool)[1]).toMatchObject({ name: 'limit', required: true })
})

test('the JSON Schema of a result is open for the billing block at its top level, and only there', () => {
  const schema = outputJsonSchema(sample(z.strictObject({}), z.object({ row: z.object({ id: z.string() }) })))
  expect(schema).toEqual({
    type: 'object',
    properties: {
      row: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'], additionalProperties: false },
    },
    required: ['row'],
  })
})

test('making the schemas leaves what a tool accepts as it was', () => {
  const tool = sample(z.strictObject({ n: z.number(), flag: z.boolean().optional() }))
  describeParams(tool)
  paramsJsonSchema(tool)
  expect(tool.params.safeParse({ n: '1' }).success).toBe(false)
  expect(tool.params.safeParse({ n: 1, flag: 'false' }).success).toBe(false)
  expect(tool.params.safeParse({ n: 1, other: 1 }).success).toBe(false)
})
