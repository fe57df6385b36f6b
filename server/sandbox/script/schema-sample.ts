import { isRecord } from '../../kit/record'

type Schema = Record<string, unknown>

const FORMATS: Record<string, string> = {
  'date-time': '2026-01-02T03:04:05Z',
  date: '2026-01-02',
  time: '03:04:05',
  email: 'sandbox@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/** A value that satisfies a simple JSON schema, always the same; free strings say `text`. */
export function sampleOfSchema(schema: unknown, text: string, root: unknown = schema, depth = 0): unknown {
  if (!isRecord(schema) || depth > 12) return text
  if (typeof schema.$ref === 'string') return sampleOfSchema(resolve(schema.$ref, root), text, root, depth + 1)
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (Array.isArray(schema.allOf))
    return sampleOfSchema(Object.assign({}, ...schema.allOf.filter(isRecord)), text, root, depth + 1)
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return sampleOfSchema(choices[0], text, root, depth + 1)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object' || isRecord(schema.properties)) return sampleObject(schema, text, root, depth)
  if (type === 'array') {
    const length = typeof schema.minItems === 'number' ? Math.max(1, schema.minItems) : 1
    return Array.from({ length }, () => sampleOfSchema(schema.items ?? {}, text, root, depth + 1))
  }
  if (type === 'integer' || type === 'number') return sampleNumber(schema)
  if (type === 'boolean') return true
  if (type === 'null') return null
  return sampleText(schema, text)
}

function resolve(ref: string, root: unknown): unknown {
  const steps = ref.replace(/^#\/?/, '').split('/').filter(Boolean)
  return steps.reduce<unknown>((at, step) => (isRecord(at) ? at[step] : undefined), root)
}

function sampleObject(schema: Schema, text: string, root: unknown, depth: number): Schema {
  const properties = isRecord(schema.properties) ? schema.properties : {}
  // Past a few levels only what must be there, so that a schema that contains itself comes to an
  // end.
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const wanted = Object.entries(properties).filter(([name]) => depth < 4 || required.has(name))
  return Object.fromEntries(wanted.map(([name, inner]) => [name, sampleOfSchema(inner, text, root, depth + 1)]))
}

function sampleNumber(schema: Schema): number {
  const { minimum, exclusiveMinimum, maximum } = schema
  const min = typeof minimum === 'number' ? minimum : typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : 1
  return typeof maximum === 'number' ? Math.min(min, maximum) : min
}

function sampleText(schema: Schema, text: string): string {
  const { format, minLength, maxLength } = schema
  const made = (typeof format === 'string' && FORMATS[format]) || text
  const long = typeof minLength === 'number' ? made.padEnd(minLength, '.') : made
  return typeof maxLength === 'number' ? long.slice(0, maxLength) : long
}
