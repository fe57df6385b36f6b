import { z } from 'zod'
import { asSchema, type JsonSchema } from '../kit/json-schema'
import { memoize } from '../kit/memoize'
import type { AnyTool } from './define'

/** A parameter of a tool, as catalog and docs print it. `type` is a TypeScript expression. */
export type ParamDoc = { name: string; type: string; required: boolean; description: string }

/**
 * A tool's parameters in the order of its schema. One with a default also counts as required when
 * its schema has `.meta({ required: true })`: listed as required, yet never refused when absent.
 * Default and range are part of the description.
 */
export const describeParams = memoize((tool: AnyTool): ParamDoc[] => {
  const { properties = {}, required = [] } = z.toJSONSchema(tool.params, { io: 'input' })
  return Object.entries(properties).map(([name, schema]) => {
    const property = asSchema(schema)
    const marked = (property.required as unknown) === true
    return {
      name,
      type: typeExpression(property),
      required: marked || required.includes(name),
      description: [toSentence(property.description), toSentence(describeLimits(property))].filter(Boolean).join(' '),
    }
  })
})

/**
 * JSON Schema (2020-12) of the parameters; those with defaults are not required. A shared object:
 * do not change it.
 */
export const paramsJsonSchema = memoize((tool: AnyTool): JsonSchema => inputJsonSchema(tool.params))

/** JSON Schema of what a shape accepts. */
export const inputJsonSchema = (shape: z.ZodObject): JsonSchema => cleanSchema(shape, 'input')

/** JSON Schema of a result; open at the top level, where the billing block is added. */
export const outputJsonSchema = memoize((tool: AnyTool): JsonSchema => {
  const { additionalProperties: _closed, ...schema } = cleanSchema(tool.output, 'output')
  return schema
})

/**
 * Without `$schema`, which validators of older drafts refuse, our own marks, and the bounds of
 * every integer.
 */
function cleanSchema(shape: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const schema: JsonSchema = { ...z.toJSONSchema(shape, { io, override: removeMarks }) }
  delete schema.$schema
  return schema
}

function removeMarks({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if ((jsonSchema.required as unknown) === true) delete jsonSchema.required
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

function typeExpression(schema: JsonSchema): string {
  const choices = schema.const === undefined ? schema.enum : [schema.const]
  if (choices?.some((c) => typeof c === 'string')) return choices.map((c) => JSON.stringify(c)).join(' | ')
  if (choices?.every(Number.isInteger)) return 'integer'
  const union = schema.anyOf ?? schema.oneOf
  if (union) return [...new Set(union.map((s) => typeExpression(asSchema(s))))].join(' | ')
  const types = [schema.type ?? 'unknown'].flat()
  return types.map((type) => (type === 'array' ? arrayOf(schema) : type)).join(' | ')
}

function arrayOf(schema: JsonSchema): string {
  const item = typeExpression(asSchema(schema.items))
  return item.includes(' | ') ? `(${item})[]` : `${item}[]`
}

/** The default and the limits of a field, in words. */
export function describeLimits(schema: JsonSchema): string {
  const parts = [
    schema.default === undefined ? '' : `default ${literal(schema.default)}`,
    rangeOf(schema),
    schema.maxItems === undefined ? '' : `at most ${schema.maxItems} items`,
  ]
  return parts.filter(Boolean).join(', ')
}

const literal = (value: unknown): string => (typeof value === 'string' && value ? value : JSON.stringify(value))

/** The bounds that integers have of themselves. */
const LOWEST: readonly number[] = [Number.MIN_SAFE_INTEGER, -(2 ** 31)]
const HIGHEST: readonly number[] = [Number.MAX_SAFE_INTEGER, 2 ** 31 - 1]

function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): string {
  const low = minimum === undefined || LOWEST.includes(minimum) ? undefined : minimum
  const high = maximum === undefined || HIGHEST.includes(maximum) ? undefined : maximum
  if (low !== undefined && high !== undefined) return `from ${low} to ${high}`
  const parts = [
    low === undefined ? '' : `at least ${low}`,
    typeof exclusiveMinimum === 'number' ? `more than ${exclusiveMinimum}` : '',
    high === undefined ? '' : `at most ${high}`,
    typeof exclusiveMaximum === 'number' ? `less than ${exclusiveMaximum}` : '',
  ]
  return parts.filter(Boolean).join(', ')
}

/** With a capital letter and a full stop. */
function toSentence(text = ''): string {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?…]$/.test(trimmed) ? '' : '.'}`
}
