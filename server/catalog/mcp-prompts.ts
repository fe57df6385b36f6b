import { asSchema } from '../kit/json-schema'
import type { AnyTool } from '../tools/define'
import { describeParams, paramsJsonSchema } from '../tools/params'
import { availableTools, findTool } from '../tools/registry'

/** A prompt as `prompts/list` of the Model Context Protocol lists it: one per tool. */
export type McpPromptEntry = {
  name: string
  title: string
  description: string
  arguments: { name: string; description: string; required: boolean }[]
}

/** Most values of one completion, as the protocol allows. */
const MAX_VALUES = 100

const describe = (tool: AnyTool): McpPromptEntry => ({
  name: tool.id,
  title: tool.label,
  description: tool.description,
  arguments: describeParams(tool).map(({ name, description, required }) => ({ name, description, required })),
})

let described: readonly McpPromptEntry[] | undefined

/** The prompts of a key that may call the tools `may` lets through, by name. */
export function listMcpPrompts(may: (id: string) => boolean): McpPromptEntry[] {
  described ??= availableTools()
    .filter(({ mcp }) => mcp !== false)
    .map(describe)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  return described.filter(({ name }) => may(name))
}

/** What a person asks a model with a prompt: to call its tool with these arguments. */
export const promptText = (tool: AnyTool, args: Record<string, string>): string =>
  [
    `Call the tool ${tool.id} (${tool.label}) and answer from its result.`,
    ...Object.entries(args).map(([name, value]) => `- ${name}: ${value}`),
  ].join('\n')

/** The values that an argument of a tool's prompt can have and that begin with `value`. */
export function promptValues(name: string, argument: string, value: string): string[] {
  const tool = findTool(name)
  const schema = tool ? asSchema(paramsJsonSchema(tool).properties?.[argument]) : {}
  const inside = [schema, asSchema(schema.items)]
  const choices = inside.flatMap(({ enum: values, type }) => values ?? (type === 'boolean' ? [true, false] : []))
  return beginningWith(choices.map(String), value)
}

/** Texts that begin with another, in any case; at most as many as a completion may have. */
export const beginningWith = (texts: readonly string[], beginning: string): string[] =>
  texts.filter((text) => text.toLowerCase().startsWith(beginning.toLowerCase())).slice(0, MAX_VALUES)
