import { z } from 'zod'
import { memoize } from '../kit/memoize'
import type { AnyTool } from './define'

/** One line of a tool's parameter list, as catalogue, docs and key form print it. `type` is a TypeScript expression. */
export type ParamDoc = { name: string; type: string; required: boolean; description: string }

export type JsonSchema = z.core.JSONSchema.BaseSchema

/**
 * A tool's parameters in the order of its schema. `required` also holds for one with a default when its schema bears
 * `.meta({ required: true })`: listed as required, yet never refused when absent. Default and range are put into words.
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
      description: [sentence(property.description), sentence(limits(property))].filter(Boolean).join(' '),
    }
  })
})

/** JSON Schema (2020-12) of what a caller may send, defaults not required. The same object every time: do not change it. */
export const paramsJsonSchema = memoize((tool: AnyTool): JsonSchema => plain(tool.params, 'input'))

/** JSON Schema of a result; open at the top, because the billing block joins the result there. */
export const outputJsonSchema = memoize((tool: AnyTool): JsonSchema => {
  const { additionalProperties: _closed, ...schema } = plain(tool.output, 'output')
  return schema
})

/** Without `$schema` (validators of older drafts refuse to load it), our own marks and the bounds every integer has. */
function plain(shape: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const schema: JsonSchema = { ...z.toJSONSchema(shape, { io, override: tidy }) }
  delete schema.$schema
  return schema
}

function tidy({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if ((jsonSchema.required as unknown) === true) delete jsonSchema.required
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** JSON Schema allows `true` and `false` as schemas; to us they are "anything". */
const asSchema = (schema: JsonSchema['items']): JsonSchema =>
  typeof schema === 'object' && !Array.isArray(schema) ? schema : {}

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

function limits(schema: JsonSchema): string {
  const told = [
    schema.default === undefined ? '' : `default ${literal(schema.default)}`,
    range(schema),
    schema.maxItems === undefined ? '' : `at most ${schema.maxItems} items`,
  ]
  return told.filter(Boolean).join(', ')
}

const literal = (value: unknown): string => (typeof value === 'string' && value ? value : JSON.stringify(value))

function range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): string {
  const low = minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum
  const high = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (low !== undefined && high !== undefined) return `from ${low} to ${high}`
  const told = [
    low === undefined ? '' : `at least ${low}`,
    typeof exclusiveMinimum === 'number' ? `more than ${exclusiveMinimum}` : '',
    high === undefined ? '' : `at most ${high}`,
    typeof exclusiveMaximum === 'number' ? `less than ${exclusiveMaximum}` : '',
  ]
  return told.filter(Boolean).join(', ')
}

/** Capital first, full stop last. */
function sentence(text = ''): string {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?…]$/.test(trimmed) ? '' : '.'}`
}
