import { agentsOfTool } from '../../agent-tools/registry'
import type { AnyTool } from '../../tools/define'

/** One kind of worker: who it is, what it may use, and by which words of a goal it is found. */
export type Agent = {
  id: string
  /** What people call it. */
  label: string
  /** What it is good for: other agents read this before they hand over. */
  about: string
  /** Words of a goal that speak for it, lower case; a word of several parts counts as that many. */
  words: readonly string[]
  /** What the model is told it is. */
  instructions: string
  uses: (tool: Pick<AnyTool, 'id' | 'capability'>) => boolean
}

/** The tools that name an agent, in their own definition or in their group's. */
export const toolsOfAgent =
  (agentId: string) =>
  ({ id }: Pick<AnyTool, 'id'>): boolean =>
    agentsOfTool(id).includes(agentId)
