import type { oas31 } from 'zod-openapi'
import { isRecord } from '../../kit/record'
import { paramsJsonSchema } from '../../tools/params'
import { availableTools } from '../../tools/registry'
import { openApiDocument } from './document'
import { toolResultName } from './tool-results'

type Schema = oas31.SchemaObject

/** `WebSearch` for `web_search`: what the names of a tool's schemas begin with. */
export const toolTypeName = (id: string): string => toolResultName(id).replace(/Result$/, '')

const CALLBACK: Schema = {
  type: 'string',
  description: 'The call becomes a task, and this URL gets a signed POST when it has ended',
}

/** A call of one tool, with its own parameters. */
const callOf = (id: string): Schema => ({
  type: 'object',
  required: ['tool', 'params'],
  additionalProperties: false,
  properties: {
    tool: { type: 'string', const: id },
    params: { $ref: `#/components/schemas/${toolTypeName(id)}Params` },
    callbackUrl: CALLBACK,
  },
})

/**
 * The document with a schema for each tool's call, told apart by `tool`: for generators of typed
 * clients. The usual one describes `params` as any object, and is half as long.
 */
export async function typedOpenApiDocument(publicUrl: string): Promise<oas31.OpenAPIObject> {
  const document = await openApiDocument(publicUrl)
  const tools = availableTools()
  const refOf = (id: string) => `#/components/schemas/${toolTypeName(id)}Call`
  const ToolCall: Schema = {
    description: 'A call of any tool.',
    oneOf: tools.map(({ id }) => ({ $ref: refOf(id) })),
    discriminator: { propertyName: 'tool', mapping: Object.fromEntries(tools.map(({ id }) => [id, refOf(id)])) },
  }
  const ofTools = Object.fromEntries(
    tools.flatMap((tool): [string, Schema][] => [
      [`${toolTypeName(tool.id)}Params`, paramsJsonSchema(tool) as Schema],
      [`${toolTypeName(tool.id)}Call`, callOf(tool.id)],
    ]),
  )
  const query = document.paths?.['/query']?.post
  if (isRecord(query?.requestBody) && 'content' in query.requestBody) {
    query.requestBody = {
      ...query.requestBody,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ToolCall' } } },
    }
  }
  // Generators would take a title for the name, which several results share.
  const untitled = Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => [
    name,
    { ...schema, title: undefined },
  ])
  const schemas = { ...Object.fromEntries(untitled), ...ofTools, ToolCall }
  return { ...document, components: { ...document.components, schemas } }
}
