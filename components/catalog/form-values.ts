import type { FormField } from './form-fields'
import type { ToolParams } from './shape'

/** The texts of a form, by parameter. Empty or absent: not sent. Lists have one item per line. */
export type FormValues = Readonly<Record<string, string>>

export type ParsedForm = { params: ToolParams; errors: Record<string, string> }

const NUMBER = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i

/** The items of a list with one item per line. */
export const splitLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

type Read = { value: unknown } | { error: string }

function readNumber(text: string): Read {
  const value = Number(text)
  return NUMBER.test(text.trim()) && Number.isFinite(value) ? { value } : { error: `${text.trim()} is not a number` }
}

function inRange(value: number, { whole, min, max }: Extract<FormField, { kind: 'number' }>): Read {
  if (whole && !Number.isInteger(value)) return { error: 'A whole number' }
  if (min !== undefined && value < min)
    return { error: max === undefined ? `At least ${min}` : `From ${min} to ${max}` }
  if (max !== undefined && value > max) return { error: min === undefined ? `At most ${max}` : `From ${min} to ${max}` }
  return { value }
}

function readList(lines: string[], of: 'text' | 'number'): Read {
  if (of === 'text') return { value: lines }
  const read = lines.map(readNumber)
  return read.find((one) => 'error' in one) ?? { value: read.map((one) => ('value' in one ? one.value : null)) }
}

function readJson(text: string, objectOnly: boolean): Read {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject || !objectOnly ? { value } : { error: 'A JSON object, such as {"name": "value"}' }
  } catch (error) {
    return { error: `Not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}` }
  }
}

function read(field: FormField, text: string): Read {
  switch (field.kind) {
    case 'text':
    case 'choice':
      return { value: text }
    case 'flag':
      return { value: text === 'true' }
    case 'number': {
      const number = readNumber(text)
      return 'value' in number ? inRange(number.value as number, field) : number
    }
    case 'list':
      return readList(splitLines(text), field.of)
    case 'many': {
      const chosen = splitLines(text)
      return { value: field.options.filter((option) => chosen.includes(String(option))) }
    }
    case 'json':
      return readJson(text, field.objectOnly)
    default:
      return field satisfies never
  }
}

const isText = ({ kind }: FormField) => kind === 'text'

/** The parameters of a filled form, and the errors by field. Empty fields are left out. */
export function formToParams(fields: readonly FormField[], values: FormValues): ParsedForm {
  const params: ToolParams = {}
  const errors: Record<string, string> = {}
  for (const field of fields) {
    const text = values[field.name] ?? ''
    if (text === '' || (!isText(field) && text.trim() === '')) {
      if (field.required) errors[field.name] = 'Required'
      continue
    }
    const result = read(field, text)
    if ('error' in result) errors[field.name] = result.error
    else params[field.name] = result.value
  }
  return { params, errors }
}

function asText(field: FormField, value: unknown): string {
  if (field.kind === 'json') return JSON.stringify(value, null, 2)
  if (Array.isArray(value)) return value.join('\n')
  return String(value)
}

/** Parameters as they would be typed into the form; those without a field are left out. */
export function paramsToForm(fields: readonly FormField[], params: ToolParams): FormValues {
  const known = fields.filter(({ name }) => params[name] !== undefined)
  return Object.fromEntries(known.map((field) => [field.name, asText(field, params[field.name])]))
}
