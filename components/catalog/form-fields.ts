import type { ToolDetails } from './shape'

/** How a parameter is filled in. `json`: everything without a simpler control. */
export type FormFieldKind =
  | { kind: 'text'; long: boolean }
  | { kind: 'number'; whole: boolean; min?: number; max?: number }
  | { kind: 'flag' }
  | { kind: 'choice'; options: readonly string[] }
  | { kind: 'many'; options: readonly (string | number)[] }
  | { kind: 'list'; of: 'text' | 'number' }
  | { kind: 'json'; objectOnly: boolean }

export type FormField = FormFieldKind & {
  name: string
  type: string
  description: string
  /** Refused when absent. */
  required: boolean
  /** Always visible; the others are folded. */
  first: boolean
  /** The default, as it would be typed. */
  fallback: string | null
}

/** The props of a field's control. */
export type FormFieldProps = { field: FormField; value: string; error?: string; onChange: (value: string) => void }

/** The part of a JSON Schema that the form reads. */
type Schema = {
  properties?: unknown
  required?: unknown
  type?: unknown
  enum?: unknown
  const?: unknown
  anyOf?: unknown
  oneOf?: unknown
  items?: unknown
  default?: unknown
  minimum?: unknown
  maximum?: unknown
  multipleOf?: unknown
  maxLength?: unknown
}

/** A text that may be longer than this gets a text area, characters. */
const LONG_TEXT = 10_000

const asSchema = (value: unknown): Schema => (typeof value === 'object' && value !== null ? value : {})
const numberOr = (value: unknown) => (typeof value === 'number' ? value : undefined)

/** The values a schema lists, or null. */
function optionsOf(schema: Schema): (string | number)[] | null {
  const union = [schema.anyOf, schema.oneOf].find(Array.isArray)
  const listed: unknown[] | null = Array.isArray(schema.enum)
    ? schema.enum
    : union?.every((one) => asSchema(one).const !== undefined)
      ? union.map((one) => asSchema(one).const)
      : null
  const isPlain = (one: unknown) => typeof one === 'string' || typeof one === 'number'
  return listed?.length && listed.every(isPlain) ? (listed as (string | number)[]) : null
}

function numberKind({ type, minimum, maximum, multipleOf }: Schema): FormFieldKind {
  const whole = type === 'integer' || (typeof multipleOf === 'number' && Number.isInteger(multipleOf))
  return { kind: 'number', whole, min: numberOr(minimum), max: numberOr(maximum) }
}

function listKind(items: Schema): FormFieldKind {
  const options = optionsOf(items)
  if (options) return { kind: 'many', options }
  if (items.type === 'string') return { kind: 'list', of: 'text' }
  if (items.type === 'number' || items.type === 'integer') return { kind: 'list', of: 'number' }
  return { kind: 'json', objectOnly: false }
}

function kindOf(schema: Schema): FormFieldKind {
  const options = optionsOf(schema)
  if (options?.every((one) => typeof one === 'string')) return { kind: 'choice', options }
  switch (schema.type) {
    case 'string':
      return { kind: 'text', long: (numberOr(schema.maxLength) ?? 0) > LONG_TEXT }
    case 'number':
    case 'integer':
      return numberKind(schema)
    case 'boolean':
      return { kind: 'flag' }
    case 'array':
      return listKind(asSchema(schema.items))
    default:
      return { kind: 'json', objectOnly: schema.type === 'object' }
  }
}

function asTyped(value: unknown): string | null {
  if (value === undefined) return null
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The fields of a tool's form, in the order of its schema. */
export function buildFormFields({ params, schema }: Pick<ToolDetails, 'params' | 'schema'>): FormField[] {
  const { properties, required } = asSchema(schema)
  const all = Object.entries(asSchema(properties))
  const needed: unknown[] = Array.isArray(required) ? required : []
  return params.map(({ name, type, description, required: first }) => {
    const property = asSchema(all.find(([key]) => key === name)?.[1])
    return {
      ...kindOf(property),
      name,
      type,
      description,
      required: needed.includes(name),
      first,
      fallback: asTyped(property.default),
    }
  })
}
