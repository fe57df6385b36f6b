import { matchesWords } from '../models/filter-models'
import type { ToolListItem } from './shape'

/** Which tools are listed: those with all of these words, of this group. */
export type ToolFilter = { q: string; group: string | null }

type Findable = Pick<ToolListItem, 'id' | 'label' | 'group' | 'description' | 'pricing'>

/** The groups of some tools, in their order. */
export const listToolGroups = (tools: readonly Pick<ToolListItem, 'group'>[]): string[] => [
  ...new Set(tools.map(({ group }) => group)),
]

/** The tools a filter leaves, in their order. How a tool is paid for is a word one can ask for. */
export const filterTools = <T extends Findable>(tools: readonly T[], { q, group }: ToolFilter): T[] =>
  tools.filter(
    (tool) =>
      (group === null || tool.group === group) &&
      matchesWords(`${tool.id} ${tool.label} ${tool.group} ${tool.description} ${tool.pricing}`, q),
  )
