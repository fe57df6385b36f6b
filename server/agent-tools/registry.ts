import type { AnyTool, ToolGroup } from '../tools/define'
import { availableTools, toolGroups } from '../tools/registry'
import { dataGroup } from './data'
import { podGroup } from './pod'
import { siteGroup } from './site'

/**
 * The groups that only agents have. Their tools cost nothing, and the destructive ones ask first.
 */
export const agentOnlyGroups: readonly ToolGroup[] = [dataGroup, siteGroup, podGroup]

/** Every group an agent may have tools of. */
export const agentGroups = (): readonly ToolGroup[] => [...toolGroups, ...agentOnlyGroups]

let known: { tools: readonly AnyTool[]; byId: ReadonlyMap<string, AnyTool> } | undefined

function available() {
  if (!known) {
    const tools = [
      ...availableTools(),
      ...agentOnlyGroups.flatMap((group) => group.tools).filter((tool) => tool.available()),
    ]
    known = { tools, byId: new Map(tools.map((tool) => [tool.id, tool])) }
  }
  return known
}

/** Every tool that agents may have here. */
export const agentTools = (): readonly AnyTool[] => available().tools

export type ToolRestrictions = {
  /** null: unconfined. */
  capabilities: readonly string[] | null
  /** Tools the owner has switched off. */
  disabledTools: readonly string[]
}

/** The tools of a run: those of its capabilities that the owner has not switched off. */
export function allowedAgentTools({ capabilities, disabledTools }: ToolRestrictions): AnyTool[] {
  const off = new Set(disabledTools)
  return agentTools().filter(
    (tool) => !off.has(tool.id) && (capabilities === null || capabilities.includes(tool.capability)),
  )
}
