import { isRecord, type UnknownRecord } from '../../kit/record'

/** Bounds that Anthropic's structured outputs do not have. */
const BOUNDS =
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems minProperties maxProperties'.split(
    ' ',
  )

const MAX_DEPTH = 64

/** Keywords that hold schemas: one, a list, or a record of them. */
const ONE = ['items', 'not', 'additionalProperties']
const LISTS = ['anyOf', 'allOf', 'oneOf', 'prefixItems']
const RECORDS = ['properties', '$defs', 'definitions']

/** A schema with each schema in it replaced, those inside first; the same where nothing changes. */
function mapSchemas(
  schema: UnknownRecord,
  change: (schema: UnknownRecord, path: string) => UnknownRecord,
  { path = '', depth = 0 } = {},
): UnknownRecord {
  if (depth > MAX_DEPTH) return schema
  const made: UnknownRecord = { ...schema }
  let isChanged = false
  const visit = (value: unknown, name: string): unknown => {
    if (!isRecord(value)) return value
    const mapped = mapSchemas(value, change, { path: path === '' ? name : `${path}.${name}`, depth: depth + 1 })
    if (mapped !== value) isChanged = true
    return mapped
  }
  for (const key of ONE) if (isRecord(schema[key])) made[key] = visit(schema[key], key)
  for (const key of LISTS)
    if (Array.isArray(schema[key])) made[key] = schema[key].map((each, i) => visit(each, `${key}.${i}`))
  for (const key of RECORDS) {
    const record = schema[key]
    if (isRecord(record))
      made[key] = Object.fromEntries(Object.entries(record).map(([name, each]) => [name, visit(each, name)]))
  }
  return change(isChanged ? made : schema, path)
}

const isObject = ({ type, properties }: UnknownRecord): boolean =>
  [type].flat().includes('object') || isRecord(properties)

/**
 * A schema in Anthropic's dialect: bounds become a part of the description, as its SDKs do it, and
 * objects are closed. `open`: the first object that is open on purpose, which cannot be carried.
 */
export function anthropicSchema(schema: UnknownRecord): { schema: UnknownRecord; open: string | null } {
  let open: string | null = null
  const made = mapSchemas(schema, (each, path) => {
    const isOpen = each.additionalProperties !== undefined && each.additionalProperties !== false
    if (isOpen) open ??= path || 'the answer'
    return closed(describeBounds(each))
  })
  return { schema: made, open }
}

const closed = (schema: UnknownRecord): UnknownRecord =>
  isObject(schema) && schema.additionalProperties === undefined ? { ...schema, additionalProperties: false } : schema

function describeBounds(schema: UnknownRecord): UnknownRecord {
  // A list that is not empty is the one bound that there is.
  const found = BOUNDS.filter((name) => name in schema && !(name === 'minItems' && Number(schema[name]) <= 1))
  if (found.length === 0) return schema
  const kept = Object.fromEntries(Object.entries(schema).filter(([name]) => !found.includes(name)))
  const bounds = found.map((name) => `${name}: ${JSON.stringify(schema[name])}`).join(', ')
  return { ...kept, description: [schema.description, `{${bounds}}`].filter(Boolean).join(' ') }
}

/**
 * A schema as OpenAI takes it strictly, with its objects closed; null where it has properties that
 * an answer may leave out, or objects that are open, which only a schema that is not strict has.
 */
export function closedSchema(schema: UnknownRecord): UnknownRecord | null {
  let isStrict = true
  const made = mapSchemas(schema, (each) => {
    const required = new Set(Array.isArray(each.required) ? each.required : [])
    const names = isRecord(each.properties) ? Object.keys(each.properties) : []
    if (names.some((name) => !required.has(name))) isStrict = false
    if (each.additionalProperties !== undefined && each.additionalProperties !== false) isStrict = false
    return closed(each)
  })
  return isStrict ? made : null
}
