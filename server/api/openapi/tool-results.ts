import type { oas31 } from 'zod-openapi'
import type { AnyTool } from '../../tools/define'
import { outputJsonSchema } from '../../tools/params'
import { availableTools } from '../../tools/registry'

type Schema = oas31.SchemaObject

/** The name of a tool's result among the schemas: `WebSearchResult` for `web_search`. */
export const toolResultName = (id: string): string =>
  `${id
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Result`

function resultOf(tool: AnyTool): Schema {
  const { properties, required = [], ...schema } = outputJsonSchema(tool) as Schema
  return {
    ...schema,
    description: `What \`${tool.id}\` returns.`,
    properties: { ...properties, service: { $ref: '#/components/schemas/Service' } },
    required: [...required, 'service'],
  }
}

/** The name of the schema of any tool's result. */
export const QUERY_RESULT = 'QueryResult'

/** A schema for each tool's result with the billing block, and `QueryResult` for any of them. */
export function toolResultSchemas(): Record<string, Schema> {
  const tools = availableTools()
  const QueryResult: Schema = {
    description: "The tool's own result, with the billing block added.",
    anyOf: tools.map(({ id }) => ({ $ref: `#/components/schemas/${toolResultName(id)}` })),
  }
  return {
    [QUERY_RESULT]: QueryResult,
    ...Object.fromEntries(tools.map((tool) => [toolResultName(tool.id), resultOf(tool)])),
  }
}
