import { z } from 'zod'
import { asSchema, type JsonSchema } from '../kit/json-schema'
import { memoize } from '../kit/memoize'
import { printType } from '../kit/print-type'
import type { AnyTool } from '../tools/define'
import { describeLimits, describeParams, inputJsonSchema, outputJsonSchema, paramsJsonSchema } from '../tools/params'

/** What a tool returns, as a TypeScript type without names to look up. */
export const resultType = memoize((tool: AnyTool): string => printType(outputJsonSchema(tool)))

/** Types with a name, by it. */
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

/** The declarations of types with a name. */
export const declareTypes = (named: NamedTypes): string[] =>
  [...named].map(([name, schema]) => `type ${name} = ${printType({ ...schema, title: undefined }, { named })}`)

/** A comment on what is sent. */
const describeInput = (schema: JsonSchema): string =>
  [schema.description?.replace(/\.$/, ''), describeLimits(schema)].filter(Boolean).join('; ')

/** The declaration of a body that is sent, with defaults and limits in its comments. */
export const declareInput = (name: string, shape: z.ZodObject): string =>
  `type ${name} = ${printType(inputJsonSchema(shape), { comment: describeInput })}`

/** The declaration of a body that is returned. */
export const declareOutput = (name: string, shape: z.ZodType): string =>
  `type ${name} = ${printType(asSchema(z.toJSONSchema(shape, { io: 'output' })))}`

/** A tool as a function of its parameters. */
export function declareTool(tool: AnyTool, named: NamedTypes): string {
  const required = describeParams(tool).flatMap((param) => (param.required ? [param.name] : []))
  const params = printType({ ...paramsJsonSchema(tool), required }, { comment: describeInput })
  return `function ${tool.id}(params: ${params}): ${printType(outputJsonSchema(tool), { named })}`
}
