import { matchesWords } from '../models/filter-models'
import type { ToolListItem } from './shape'

/** Which tools are listed: those of this group that contain all of these words. */
export type ToolFilter = { q: string; group: string | null }

type Findable = Pick<ToolListItem, 'id' | 'label' | 'group' | 'description' | 'pricing'>

/** The groups of some tools, in the order of the tools. */
export const listToolGroups = (tools: readonly Pick<ToolListItem, 'group'>[]): string[] => [
  ...new Set(tools.map(({ group }) => group)),
]

/** The tools that match a filter, in their order. "metered" and "fixed" can be searched for too. */
export const filterTools = <T extends Findable>(tools: readonly T[], { q, group }: ToolFilter): T[] =>
  tools.filter(
    (tool) =>
      (group === null || tool.group === group) &&
      matchesWords(`${tool.id} ${tool.label} ${tool.group} ${tool.description} ${tool.pricing}`, q),
  )
