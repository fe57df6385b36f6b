import { asSchema, type JsonSchema } from './json-schema'

/** Longest line of an object that is written on one line, and of fields that share one. */
const LINE = 110

export type PrintOptions = {
  /** Types that are written as their name: by name, the schema that has it as its `title`. */
  named?: ReadonlyMap<string, JsonSchema>
  /** What is said about a field; by default its description. */
  comment?: (schema: JsonSchema) => string
}

type Field = { text: string; comment: string }

/**
 * A JSON Schema as a TypeScript type, short enough to be read by people and models: fields share
 * lines, and descriptions are comments at the end of one. `integer` is a whole number and `Time` an
 * ISO 8601 time. Rules that TypeScript has no words for are left out.
 */
export function printType(schema: JsonSchema, options: PrintOptions = {}): string {
  const { title } = schema
  if (title && options.named?.has(title)) return title
  const choices = schema.const === undefined ? schema.enum : [schema.const]
  if (choices) return choices.map((choice) => JSON.stringify(choice)).join(' | ')
  const union = schema.anyOf ?? schema.oneOf
  if (union) return [...new Set(union.map((each) => printType(asSchema(each), options)))].join(' | ')
  const types = [schema.type ?? 'unknown'].flat()
  return types.map((type) => printOne(schema, type, options)).join(' | ')
}

function printOne(schema: JsonSchema, type: string, options: PrintOptions): string {
  if (type === 'array') return printArray(schema, options)
  if (type === 'object') return printObject(schema, options)
  return schema.format === 'date-time' ? 'Time' : type
}

function printArray({ items, prefixItems }: JsonSchema, options: PrintOptions): string {
  if (prefixItems) return `[${prefixItems.map((each) => printType(asSchema(each), options)).join(', ')}]`
  const item = printType(asSchema(items), options)
  return isCompound(item) ? `(${item})[]` : `${item}[]`
}

/** Whether a type is a union or intersection, outside of all brackets and texts. */
const isCompound = (type: string): boolean => {
  const texts = type.replaceAll(/"(?:[^"\\]|\\.)*"|\/\/.*$/gm, '')
  let depth = 0
  for (const character of texts) {
    if ('{[(<'.includes(character)) depth++
    if ('}])>'.includes(character)) depth--
    if (depth === 0 && (character === '|' || character === '&')) return true
  }
  return false
}

function printObject(schema: JsonSchema, options: PrintOptions): string {
  const { properties = {}, additionalProperties } = schema
  const names = Object.keys(properties)
  if (names.length === 0) return `Record<string, ${printType(asSchema(additionalProperties), options)}>`
  const [base, known] = namedPart(schema, options)
  const fields = names.filter((name) => !known.has(name)).map((name) => fieldOf(schema, name, options))
  const own = layOut(fields)
  return base ? `${base} & ${own}` : own
}

/** The named type whose fields an object has, among others, and the names of these. */
function namedPart(
  { title, properties = {} }: JsonSchema,
  { named }: PrintOptions,
): [base: string | null, names: ReadonlySet<string>] {
  for (const [name, { properties: shared = {} }] of named ?? []) {
    const names = Object.keys(shared)
    const isPart = names.every((each) => JSON.stringify(properties[each]) === JSON.stringify(shared[each]))
    if (name !== title && isPart && names.length < Object.keys(properties).length) return [name, new Set(names)]
  }
  return [null, new Set()]
}

function fieldOf({ properties = {}, required = [] }: JsonSchema, name: string, options: PrintOptions): Field {
  const schema = asSchema(properties[name])
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
  const comment = options.comment ?? (({ description = '' }) => description)
  return {
    text: `${key}${required.includes(name) ? '' : '?'}: ${printType(schema, options)}`,
    comment: comment(schema).replaceAll(/\s+/g, ' ').trim(),
  }
}

function layOut(fields: readonly Field[]): string {
  const whole = `{ ${fields.map(({ text }) => text).join('; ')} }`
  if (!fields.some(({ comment }) => comment) && !whole.includes('\n') && whole.length <= LINE) return whole
  return `{\n${indent(linesOf(fields).join('\n'))}\n}`
}

/** Fields without a comment share a line; one with a comment ends it. */
function linesOf(fields: readonly Field[]): string[] {
  const lines: string[] = []
  let open: string | null = null
  for (const { text, comment } of fields) {
    const joined: string = open === null ? text : `${open}; ${text}`
    const isShared: boolean = open !== null && !comment && !text.includes('\n') && joined.length <= LINE
    if (!isShared && open !== null) lines.push(open)
    open = isShared ? joined : text
    if (comment || text.includes('\n')) {
      lines.push(comment ? withComment(open, comment) : open)
      open = null
    }
  }
  return open === null ? lines : [...lines, open]
}

/** A comment is on the line of the name, also where the type goes on for several. */
function withComment(text: string, comment: string): string {
  const [first = '', ...rest] = text.split('\n')
  return [`${first} // ${comment}`, ...rest].join('\n')
}

const indent = (text: string): string => text.replaceAll(/^/gm, '  ')
