import type { JsonSchema } from '../kit/json-schema'
import { memoize } from '../kit/memoize'
import { printType } from '../kit/print-type'
import type { AnyTool } from '../tools/define'
import { outputJsonSchema } from '../tools/params'

/** What a tool returns, as a TypeScript type without names to look up. */
export const resultType = memoize((tool: AnyTool): string => printType(outputJsonSchema(tool)))

export type NamedTypes = ReadonlyMap<string, JsonSchema>

/** The types with a name that results have in common, in the order in which they first occur. */
export function namedTypes(tools: readonly AnyTool[]): NamedTypes {
  const named = new Map<string, JsonSchema>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { title, properties } = value as JsonSchema
    if (typeof title === 'string' && properties) named.set(title, value as JsonSchema)
    for (const inner of Object.values(value)) visit(inner)
  }
  for (const tool of tools) visit(outputJsonSchema(tool))
  return named
}

/** A type with a name, as it is declared. */
export const declareType = (name: string, schema: JsonSchema, named: NamedTypes): string =>
  `type ${name} = ${printType({ ...schema, title: undefined }, { named })}`
