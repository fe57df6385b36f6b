import { isSimulated } from '../env'
import { MODELS_PROVIDER } from '../env/providers'
import { cryptoGroup } from './crypto'
import { type AnyTool, CAPABILITY_LABELS, type Capability, type ToolGroup } from './define'
import { forumGroup } from './forum'
import { marketplaceGroup } from './marketplace'
import { mediaGroup } from './media'
import { microblogGroup } from './microblog'
import { propertyGroup } from './property'
import { videositeGroup } from './videosite'
import { webGroup } from './web'

/** Every group, in the order in which documents and forms list them. */
export const toolGroups: readonly ToolGroup[] = [
  webGroup,
  cryptoGroup,
  forumGroup,
  microblogGroup,
  videositeGroup,
  propertyGroup,
  mediaGroup,
  marketplaceGroup,
]

/** What people call a capability; it names its groups where it covers several. */
export function capabilityLabel(capability: Capability): string {
  const covered = toolGroups.filter(({ tools }) => tools.some((tool) => tool.capability === capability))
  const label = CAPABILITY_LABELS[capability]
  return covered.length < 2 ? label : `${label} (${covered.map((group) => group.label.toLowerCase()).join(', ')})`
}

let available: { tools: readonly AnyTool[]; byId: ReadonlyMap<string, AnyTool> } | undefined

/** What is available depends on settings, which a process reads once. */
function loadTools() {
  if (!available) {
    const tools = toolGroups.flatMap((group) => group.tools).filter((tool) => tool.available())
    available = { tools, byId: new Map(tools.map((tool) => [tool.id, tool])) }
  }
  return available
}

/** The tools whose provider is configured here, in the order of their groups. */
export const availableTools = (): readonly AnyTool[] => loadTools().tools

/** The available tool of this id. */
export const findTool = (id: string): AnyTool | undefined => loadTools().byId.get(id)

/**
 * Whether what a tool returns is simulated here. A group without settings uses the models.
 */
export function isSimulatedTool(tool: AnyTool): boolean {
  if (tool.isBuiltIn) return false
  return isSimulated(groupOfTool(tool).settings?.provider ?? MODELS_PROVIDER)
}

/** The group of a tool. Throws for a tool that is in no group. */
export function groupOfTool(tool: AnyTool): ToolGroup {
  const group = toolGroups.find((g) => g.tools.includes(tool))
  if (!group) throw new Error(`${tool.id} is in no group`)
  return group
}
