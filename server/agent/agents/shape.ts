import { agentsOfTool } from '../../agent-tools/registry'
import type { AnyTool, Capability } from '../../tools/define'

/** An agent: its instructions, its tools, and the words of a goal by which the router finds it. */
export type Agent = {
  id: string
  /** Display name. */
  label: string
  /** What it is good at. Other agents read this before they hand over. */
  about: string
  /** Lower-case words of a goal that fit it. A word of several parts counts once per part. */
  words: readonly string[]
  /** The start of the system prompt. */
  instructions: string
  uses: (tool: Pick<AnyTool, 'id' | 'capability'>) => boolean
  /** Capabilities of the tools that it has before others, where a model's context takes few. */
  firstCapabilities?: readonly Capability[]
}

/** The tools that name an agent, in their own definition or in their group's. */
export const toolsOfAgent =
  (agentId: string) =>
  ({ id }: Pick<AnyTool, 'id'>): boolean =>
    agentsOfTool(id).includes(agentId)
