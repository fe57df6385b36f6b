import { expect, test } from 'vitest'
import { z } from 'zod'
import { asSchema, type JsonSchema } from './json-schema'
import { printType } from './print-type'

const schemaOf = (shape: z.ZodType): JsonSchema => asSchema(z.toJSONSchema(shape, { io: 'output' }))
const printed = (shape: z.ZodType) => printType(schemaOf(shape))

test.each([
  [z.string(), 'string'],
  [z.int().nullable(), 'integer | null'],
  [z.iso.datetime().nullable(), 'Time | null'],
  [z.enum(['a', 'b']), '"a" | "b"'],
  [z.literal('say "x"'), '"say \\"x\\""'],
  [z.unknown(), 'unknown'],
  [z.null(), 'null'],
  [z.array(z.string()), 'string[]'],
  [z.array(z.string().nullable()), '(string | null)[]'],
  [z.array(z.enum(['a'])), '"a"[]'],
  [z.array(z.enum(['a | b'])), '"a | b"[]'],
  [z.array(z.object({ a: z.string().nullable() })), '{ a: string | null }[]'],
  [z.array(z.union([z.object({ a: z.string() }), z.object({ b: z.int() })])), '({ a: string } | { b: integer })[]'],
  [z.tuple([z.string(), z.int()]), '[string, integer]'],
  [z.record(z.string(), z.union([z.string(), z.boolean()])), 'Record<string, string | boolean>'],
  [z.looseObject({}), 'Record<string, unknown>'],
  [z.object({ a: z.string(), b: z.int().optional(), '24h': z.null() }), '{ a: string; b?: integer; "24h": null }'],
])('%# a schema is the type %s', (shape, type) => {
  expect(printed(shape)).toBe(type)
})

test('a description is a comment at the end of the line of its field', () => {
  const Row = z.object({
    a: z.string(),
    b: z.int(),
    c: z.array(z.object({ d: z.string().describe('In\n  words') })).describe('Some | of them'),
    e: z.null(),
  })
  expect(printed(Row)).toBe(
    [
      '{',
      '  a: string; b: integer',
      '  c: { // Some | of them',
      '    d: string // In words',
      '  }[]',
      '  e: null',
      '}',
    ].join('\n'),
  )
})

test('fields share lines that are not too long', () => {
  const names = Array.from({ length: 30 }, (_, n) => `field${n}`)
  const lines = printed(z.object(Object.fromEntries(names.map((name) => [name, z.string()])))).split('\n')
  expect(lines.length).toBeLessThan(8)
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(112)
  expect(lines.join('').match(/field\d+: string/g)).toHaveLength(30)
})

test('a type with a name is its name, and what has all of its fields is it and the others', () => {
  const Post = z.object({ id: z.string(), text: z.string() }).meta({ title: 'Post' })
  const named = new Map([['Post', schemaOf(Post)]])
  const print = (shape: z.ZodType) => printType(schemaOf(shape), { named })
  expect(print(z.object({ rows: z.array(Post), first: Post.nullable() }))).toBe('{ rows: Post[]; first: Post | null }')
  expect(print(Post.extend({ likes: z.int() }))).toBe('Post & { likes: integer }')
  expect(print(z.array(Post.extend({ likes: z.int() })))).toBe('(Post & { likes: integer })[]')
  expect(print(z.object({ id: z.string() }))).toBe('{ id: string }')
})
