import type { ApiDocument, DocumentedTool } from './read-document'
import type { TypeField } from './types'

type Values = ReadonlyMap<string, readonly unknown[]>

/** Every text of a result by the name of its field, however deep. */
export function textsByName(result: unknown, found = new Map<string, unknown[]>()): Map<string, unknown[]> {
  if (typeof result !== 'object' || result === null) return found
  for (const [name, value] of Object.entries(result)) {
    if (typeof value === 'string' && value !== '') found.set(name, [...(found.get(name) ?? []), value])
    textsByName(value, found)
  }
  return found
}

/** Whether a parameter has the name of a field, or of several, or of a kind of id. */
const isNamedAfter = (param: string, field: string): boolean =>
  param === field ||
  param === `${field}s` ||
  (field.endsWith('Id') && param.endsWith(field.charAt(0).toUpperCase() + field.slice(1)))

function argumentFrom({ name, type }: TypeField, known: Values, exampleOf: unknown): unknown {
  for (const [field, values] of known) {
    if (!isNamedAfter(name, field)) continue
    const value = values.find((each) => each !== exampleOf) ?? values[0]
    return type.kind === 'array' ? [value] : value
  }
  return undefined
}

/**
 * Arguments of a tool from what its group has returned, where a required parameter is named after a
 * field of it; else from the example. Null where none is.
 */
export function followUpArguments(tool: DocumentedTool, known: Values): Record<string, unknown> | null {
  const required = tool.params.filter(({ isOptional }) => !isOptional)
  const found = required.flatMap((param) => {
    const value = param.type.kind === 'union' ? undefined : argumentFrom(param, known, tool.example[param.name])
    return value === undefined ? [] : [[param.name, value] as const]
  })
  if (found.length === 0) return null
  const rest = required.map(({ name }) => [name, tool.example[name]] as const)
  return Object.fromEntries([...rest, ...found])
}

/** The arguments of the next page: its cursor in the parameter that the comment names. */
export function nextPageArguments(tool: DocumentedTool, types: ApiDocument['types'], cursor: string) {
  const { returns } = tool
  const page = returns.kind === 'name' ? types.get(returns.name) : returns
  const field = page?.kind === 'object' ? page.fields.find(({ name }) => name === 'nextCursor') : undefined
  const [, named = 'cursor'] = /Pass it as (\w+)/.exec(field?.comment ?? '') ?? []
  const param = tool.params.find(({ name }) => name === named)
  const isNumber = param?.type.kind === 'name' && ['number', 'integer'].includes(param.type.name)
  return { ...tool.example, [named]: isNumber ? Number(cursor) : cursor }
}
