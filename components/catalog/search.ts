import { hasWords } from '../models/search'
import type { ListedTool } from './shape'

/** Which tools are listed: those with all of these words, of this group. */
export type ToolFilter = { q: string; group: string | null }

type Findable = Pick<ListedTool, 'id' | 'label' | 'group' | 'description' | 'pricing'>

/** The groups of some tools, in their order. */
export const groupsOf = (tools: readonly Pick<ListedTool, 'group'>[]): string[] => [
  ...new Set(tools.map(({ group }) => group)),
]

/** The tools a filter leaves, in their order. How a tool is paid for is a word one can ask for. */
export const findTools = <T extends Findable>(tools: readonly T[], { q, group }: ToolFilter): T[] =>
  tools.filter(
    (tool) =>
      (group === null || tool.group === group) &&
      hasWords(`${tool.id} ${tool.label} ${tool.group} ${tool.description} ${tool.pricing}`, q),
  )
