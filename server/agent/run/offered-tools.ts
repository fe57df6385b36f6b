import { agentsOfTool } from '../../agent-tools/registry'
import { memoize } from '../../kit/memoize'
import type { Model } from '../../models/shape'
import type { AnyTool } from '../../tools/define'
import { paramsJsonSchema } from '../../tools/params'
import type { Agent } from '../agents/shape'
import type { FunctionTool } from './builtin-tools'

/** Part of a model's context that the definitions of tools may fill. */
const TOOLS_SHARE = 0.3
/**
 * Part of a model's context for instructions, tools and goal together: the rest is for the work.
 */
const FIXED_SHARE = 0.6
/**
 * Tokens of the instructions and of the functions that every run has, and of a tool's line there.
 */
const INSTRUCTION_TOKENS = 1_200
const LINE_TOKENS = 35
/** With fewer tools than this a run is not started. */
const MIN_TOOLS = 3
/** Characters of a definition, and bytes of a goal, per token. */
const CHARS_PER_TOKEN = 3.5
const BYTES_PER_TOKEN = 4

/** A tool as chat models take it. */
export const functionOf = memoize(
  (tool: AnyTool): FunctionTool => ({
    type: 'function',
    function: { name: tool.id, description: tool.description, parameters: paramsJsonSchema(tool) },
  }),
)

/** Estimated tokens of a tool's definition, with its line in the instructions. */
export const definitionTokens = memoize(
  (tool: AnyTool): number => Math.ceil(JSON.stringify(functionOf(tool)).length / CHARS_PER_TOKEN) + LINE_TOKENS,
)

/** What decides which tools an agent is offered. Nothing that a run reads is part of it. */
export type ToolOffer = {
  tools: readonly AnyTool[]
  agent: Agent
  model: Pick<Model, 'contextSize'>
  goal: string
}

const tokensOf = (tools: readonly AnyTool[]): number => tools.reduce((sum, tool) => sum + definitionTokens(tool), 0)

const goalTokens = (goal: string): number => Math.ceil(Buffer.byteLength(goal) / BYTES_PER_TOKEN)

/** Tokens that the definitions of tools may take. */
const maxTokens = ({ model, goal }: ToolOffer): number =>
  Math.min(model.contextSize * TOOLS_SHARE, model.contextSize * FIXED_SHARE - INSTRUCTION_TOKENS - goalTokens(goal))

/** An agent's tools, those first that it should rather have than others. */
function rankedTools({ tools, agent }: ToolOffer): AnyTool[] {
  const rank = (tool: AnyTool): number => {
    const at = agent.firstCapabilities?.indexOf(tool.capability) ?? -1
    // What few agents use is what an agent is for.
    return at < 0 ? 100 + agentsOfTool(tool.id).length : at
  }
  return tools.filter(agent.uses).sort((a, b) => rank(a) - rank(b))
}

/**
 * The tools that an agent is offered: its own, without the last of them where the definitions of
 * all would fill too much of the model's context. What is left out can be reached by handing over.
 */
export function toolsOffered(choice: ToolOffer): AnyTool[] {
  const { tools, agent } = choice
  const own = tools.filter(agent.uses)
  let left = maxTokens(choice)
  if (tokensOf(own) <= left) return own
  const offered = new Set<AnyTool>()
  for (const tool of rankedTools(choice)) {
    if (definitionTokens(tool) > left) continue
    left -= definitionTokens(tool)
    offered.add(tool)
  }
  return own.filter((tool) => offered.has(tool))
}

/**
 * The context that a run needs at least; null: its model's is enough for the instructions, the
 * goal, some tools and the work.
 */
export function missingContext(choice: ToolOffer): { neededTokens: number; toolTokens: number } | null {
  const few = rankedTools(choice).slice(0, MIN_TOOLS)
  const toolTokens = tokensOf(few)
  if (toolsOffered(choice).length >= few.length && maxTokens(choice) >= toolTokens) return null
  const byGoal = (INSTRUCTION_TOKENS + goalTokens(choice.goal) + toolTokens) / FIXED_SHARE
  return { neededTokens: Math.ceil(Math.max(byGoal, toolTokens / TOOLS_SHARE)), toolTokens }
}
