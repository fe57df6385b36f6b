import { z } from 'zod'
import { invalidRequest } from '../../errors'
import { isRecord } from '../../kit/record'

/** A JSON Schema, as a caller gives it. */
export type OutputSchema = Record<string, unknown>

/** Limits of a schema: its JSON, and how deep and how large it may be. */
const MAX_CHARS = 32_768
const MAX_DEPTH = 40
const MAX_VALUES = 4_000

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const
const count = z.int().min(0)
const Part: z.ZodType = z.lazy(() => z.union([z.boolean(), Keywords]))
const parts = z.record(z.string(), Part)

/**
 * The keywords of drafts 7 to 2020-12 with what they take. Others are annotations, and ignored as
 * the specification says.
 */
const Keywords = z.looseObject({
  type: z.union([z.enum(TYPES), z.array(z.enum(TYPES)).min(1)]).optional(),
  enum: z.array(z.unknown()).min(1).optional(),
  ...{ properties: parts.optional(), patternProperties: parts.optional(), dependentSchemas: parts.optional() },
  ...{ $defs: parts.optional(), definitions: parts.optional() },
  ...{ additionalProperties: Part.optional(), propertyNames: Part.optional(), unevaluatedProperties: Part.optional() },
  required: z.array(z.string()).optional(),
  items: z.union([Part, z.array(Part)]).optional(),
  ...{ prefixItems: z.array(Part).optional(), additionalItems: Part.optional(), contains: Part.optional() },
  ...{ allOf: z.array(Part).min(1).optional(), anyOf: z.array(Part).min(1).optional() },
  oneOf: z.array(Part).min(1).optional(),
  ...Object.fromEntries(['not', 'if', 'then', 'else'].map((name) => [name, Part.optional()])),
  ...{ minimum: z.number().optional(), maximum: z.number().optional(), multipleOf: z.number().positive().optional() },
  ...{ exclusiveMinimum: z.number().optional(), exclusiveMaximum: z.number().optional() },
  ...{ minLength: count.optional(), maxLength: count.optional(), pattern: z.string().optional() },
  ...{ minItems: count.optional(), maxItems: count.optional(), uniqueItems: z.boolean().optional() },
  ...{ minProperties: count.optional(), maxProperties: count.optional() },
  $ref: z
    .string()
    .regex(/^#/, 'must be a reference within the schema, such as #/$defs/item: nothing is fetched')
    .optional(),
})

const issue = (message: string, path: readonly PropertyKey[] = []) => ({ path: ['outputSchema', ...path], message })

/** The values inside a value, with how deep the deepest is; stops beyond the limits. */
function measure(value: unknown): { depth: number; values: number } {
  const size = { depth: 0, values: 0 }
  const open = [{ value, depth: 1 }]
  for (let next = open.pop(); next && size.values <= MAX_VALUES && size.depth <= MAX_DEPTH; next = open.pop()) {
    size.values++
    size.depth = Math.max(size.depth, next.depth)
    if (typeof next.value !== 'object' || next.value === null) continue
    for (const inner of Object.values(next.value)) open.push({ value: inner, depth: next.depth + 1 })
  }
  return size
}

/** Every `$ref` in a schema. */
function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(refsIn)
  return isRecord(value) && typeof value.$ref === 'string' ? [value.$ref, ...inner] : inner
}

/** True for a reference to a part of the schema; one by an anchor is left to the validator. */
function leadsSomewhere(schema: OutputSchema, ref: string): boolean {
  if (ref !== '#' && !ref.startsWith('#/')) return true
  let at: unknown = schema
  for (const name of ref.split('/').slice(1)) {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return false
    at = (at as Record<string, unknown>)[key]
  }
  return true
}

/**
 * Checks a caller's schema for a run's result without evaluating it: its size, its keywords, and
 * that it refers to nothing outside. Throws `invalid_request`.
 */
export function checkSchemaForm(schema: OutputSchema): void {
  const { depth, values } = measure(schema)
  if (depth > MAX_DEPTH) throw invalidRequest([issue(`is more than ${MAX_DEPTH} levels deep`)])
  if (values > MAX_VALUES) throw invalidRequest([issue(`has more than ${MAX_VALUES} values`)])
  const chars = JSON.stringify(schema).length
  if (chars > MAX_CHARS) throw invalidRequest([issue(`has ${chars} characters; the maximum is ${MAX_CHARS}`)])
  const parsed = Keywords.safeParse(schema)
  if (!parsed.success) throw invalidRequest(parsed.error.issues.map(({ path, message }) => issue(message, path)))
  const lost = refsIn(schema).find((ref) => !leadsSomewhere(schema, ref))
  if (lost !== undefined) throw invalidRequest([issue(`refers to ${lost}, which it does not have`)])
}
