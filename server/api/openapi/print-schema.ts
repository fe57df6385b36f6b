import type { JsonSchema } from '../../kit/json-schema'
import { printType } from '../../kit/print-type'
import { isRecord } from '../../kit/record'
import type { ReferenceType } from '../shape'

const REF = '#/components/schemas/'

/** More types than this say nothing to a reader: all results of all tools, say. */
const MAX_TYPES = 12

const nameIn = (ref: unknown): string | null =>
  typeof ref === 'string' && ref.startsWith(REF) ? ref.slice(REF.length) : null

/** The names that a value of the document refers to. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (!isRecord(value)) return []
  const own = nameIn(value.$ref)
  return [...(own ? [own] : []), ...Object.values(value).flatMap(namesIn)]
}

/** A schema in which every reference is a schema with the name of what it refers to. */
function withTitles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTitles)
  if (!isRecord(value)) return value
  const name = nameIn(value.$ref)
  if (name) return { title: name }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withTitles(inner)]))
}

/** What a type with a name is made of is printed once, where it is declared. */
const opaque: JsonSchema = { properties: { ' ': { const: 'never' } } }

/** A schema of the OpenAPI document as a TypeScript type; references are written as their names. */
export function printSchema(schema: unknown): string {
  const named = new Map(namesIn(schema).map((name) => [name, opaque]))
  // Schemas of the document are JSON Schemas; its own type for them is a wider one.
  return printType(withTitles(schema) as JsonSchema, { named })
}

/** A type that is one of more named types than are shown: the result of any tool. */
const isWideUnion = (schema: unknown): boolean =>
  isRecord(schema) && Array.isArray(schema.anyOf) && schema.anyOf.length > MAX_TYPES && namesIn(schema.anyOf).length > 0

/** What a reader of a type needs to know: of a wide union, what all of its types mention. */
function namesBehind(schema: unknown, schemas: Record<string, unknown>): string[] {
  const names = namesIn(schema)
  if (!isWideUnion(schema)) return names
  const [first = [], ...rest] = names.map((name) => namesIn(schemas[name]))
  return first.filter((name) => rest.every((others) => others.includes(name)))
}

/**
 * The types with a name that values of the document mention, directly or through each other. Those
 * of a wide union are named in it, and left to pages of their own.
 */
export function typesMentioned(values: readonly unknown[], schemas: Record<string, unknown>): ReferenceType[] {
  const found = new Set(values.flatMap(namesIn))
  for (const name of found) for (const inner of namesBehind(schemas[name], schemas)) found.add(inner)
  const names = [...found].filter((name) => schemas[name] !== undefined).slice(0, MAX_TYPES)
  return names.map((name) => ({
    name,
    code: `type ${name} = ${printSchema(schemas[name])}`,
    ...(isWideUnion(schemas[name]) && { isWide: true }),
  }))
}
