import type { FormField } from './form-fields'
import type { ToolParams } from './shape'

function placeholderFor(field: FormField): unknown {
  switch (field.kind) {
    case 'text':
      return `<${field.name}>`
    case 'number':
      return field.min ?? 1
    case 'flag':
      return true
    case 'choice':
      return field.options[0]
    case 'many':
      return field.options.slice(0, 1)
    case 'list':
      return field.of === 'text' ? [`<${field.name}>`] : [1]
    case 'json':
      return {}
    default:
      return field satisfies never
  }
}

/** The parameters for display: missing required ones become placeholders such as `<query>`. */
export function fillRequired(params: ToolParams, fields: readonly FormField[]): ToolParams {
  const missing = fields.filter(({ name, required }) => required && params[name] === undefined)
  return { ...Object.fromEntries(missing.map((field) => [field.name, placeholderFor(field)])), ...params }
}
