import { crypto } from './crypto'
import type { AnyTool, ToolGroup } from './define'
import { forum } from './forum'
import { marketplace } from './marketplace'
import { media } from './media'
import { microblog } from './microblog'
import { property } from './property'
import { videosite } from './videosite'
import { web } from './web'

/** Every group in the order in which doors and documents list them. */
export const groups: readonly ToolGroup[] = [web, crypto, forum, microblog, videosite, property, media, marketplace]

let available: { tools: readonly AnyTool[]; byId: ReadonlyMap<string, AnyTool> } | undefined

/** Availability hangs on settings, which do not change while a process lives. */
function known() {
  if (!available) {
    const tools = groups.flatMap((group) => group.tools).filter((tool) => tool.available())
    available = { tools, byId: new Map(tools.map((tool) => [tool.id, tool])) }
  }
  return available
}

/** The tools whose provider is configured here, in the order of their groups. */
export const allTools = (): readonly AnyTool[] => known().tools

/** The available tool of this id. */
export const findTool = (id: string): AnyTool | undefined => known().byId.get(id)

/** The group a tool stands in. Throws for a tool of no group, which would be a fault of ours. */
export function groupOf(tool: AnyTool): ToolGroup {
  const group = groups.find((g) => g.tools.includes(tool))
  if (!group) throw new Error(`${tool.id} is in no group`)
  return group
}
