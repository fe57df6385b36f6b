import type { JsonSchema } from '../kit/json-schema'
import type { AnyTool } from '../tools/define'
import { outputJsonSchema, paramsJsonSchema } from '../tools/params'
import { availableTools, findTool } from '../tools/registry'

/** A tool as `tools/list` of the Model Context Protocol lists it. */
export type McpToolEntry = {
  name: string
  title: string
  description: string
  inputSchema: JsonSchema
  outputSchema: JsonSchema
  annotations: {
    title: string
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
}

const priceOf = ({ pricing }: AnyTool): string =>
  pricing.kind === 'metered'
    ? 'Price: metered; the result has the charge.'
    : `Price: ${pricing.credits} ${pricing.credits === 1 ? 'credit' : 'credits'} a call.`

const describe = (tool: AnyTool): McpToolEntry => ({
  name: tool.id,
  title: tool.label,
  description: `${tool.description} ${priceOf(tool)}`,
  inputSchema: paramsJsonSchema(tool),
  outputSchema: outputJsonSchema(tool),
  annotations: {
    title: tool.label,
    readOnlyHint: tool.annotations.readOnly,
    // No tool takes anything away; those that are not read-only make something new.
    destructiveHint: false,
    idempotentHint: tool.annotations.idempotent,
    openWorldHint: tool.annotations.openWorld,
  },
})

let described: readonly { tool: AnyTool; entry: McpToolEntry }[] | undefined

/**
 * The tools MCP offers to a key that may call those `may` lets through, by name; the same bytes
 * every time.
 */
export function listMcpTools(may: (id: string) => boolean): McpToolEntry[] {
  described ??= availableTools()
    .map((tool) => ({ tool, entry: describe(tool) }))
    .sort((a, b) => (a.tool.id < b.tool.id ? -1 : 1))
  return described.filter(({ tool }) => tool.mcp !== false && may(tool.id)).map(({ entry }) => entry)
}

/** What a call of a tool is doing, for a client that waits for it. */
export function describeActivity(name: string, args: unknown): string {
  const tool = findTool(name)
  const input = tool?.activity && tool.params.safeParse(args)
  return tool?.activity && input?.success ? tool.activity(input.data as never) : `Running ${name}`
}

/** The tool of a name that MCP offers; `'elsewhere'` for one that only REST can wait for. */
export function findMcpTool(name: string): AnyTool | 'elsewhere' | undefined {
  const tool = findTool(name)
  return tool?.mcp === false ? 'elsewhere' : tool
}
