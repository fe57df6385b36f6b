import { exampleInput } from '../tools/example'
import { availableTools, findTool } from '../tools/registry'
import type { CatalogTool } from './describe'
import { typeBlock } from './markdown-blocks'
import { declareTool, declareTypes, type NamedTypes, namedTypes } from './result-types'

const priceOf = ({ credits }: CatalogTool) =>
  credits === null ? 'metered' : `${credits} credit${credits === 1 ? '' : 's'}`

function toolSection({ id, label, description, ...entry }: CatalogTool, named: NamedTypes): string {
  const tool = findTool(id)
  if (!tool) throw new Error(`${id} is not available`)
  const example = exampleInput(tool)
  return [
    `### ${id}`,
    `${label}, ${priceOf({ id, label, description, ...entry })}${tool.mcp === false ? ', not over MCP' : ''}. ${description}`,
    typeBlock(declareTool(tool, named)),
    ...(Object.keys(example).length > 0 ? [`Example: \`${JSON.stringify(example)}\``] : []),
  ].join('\n\n')
}

/** Every tool as a function, by group, after the types that they have in common. */
export function toolsSections(tools: readonly CatalogTool[]): string[] {
  const named = namedTypes(availableTools())
  const groups = Map.groupBy(tools, (tool) => tool.group)
  return [
    '## Tools',
    'Each tool is declared as a function: send its id as `tool` and its parameters as `params`; the response is what it returns, with `service` beside it. Fields and parameters have the same names in all tools: an id that one returns is what another takes under that name. What is unknown is null. A `//` says what the field on its line is.',
    typeBlock(
      'type integer = number // Without a fraction',
      'type Time = string // ISO 8601, UTC',
      ...declareTypes(named),
    ),
    ...[...groups].flatMap(([group, listed]) => [
      `## Tools: ${group}`,
      ...listed.map((tool) => toolSection(tool, named)),
    ]),
  ]
}
