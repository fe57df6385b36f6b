import { memoize } from '../../kit/memoize'
import type { Model } from '../../models/shape'
import type { AnyTool } from '../../tools/define'
import { paramsJsonSchema } from '../../tools/params'
import type { FunctionTool } from './builtin-tools'
import { modelSchema } from './model-schema'

/** Part of a model's context that the definitions of tools may fill. */
const TOOLS_SHARE = 0.3
/**
 * Part of a model's context for instructions, tools and goal together: the rest is for the work.
 */
const FIXED_SHARE = 0.6
/** Tokens of the instructions, and of the functions that every run has. */
const INSTRUCTION_TOKENS = 1_500
/** All tools of a run are defined from its first step where they take no more tokens than this. */
const FEW_TOKENS = 1_500
/** With fewer tools than this a run is not started. */
const MIN_TOOLS = 3
/** Characters of a definition, and bytes of a goal, per token. */
const CHARS_PER_TOKEN = 3.5
const BYTES_PER_TOKEN = 4
/** Tokens of a function that every run may have. */
const BUILTIN_TOKENS = 350

/** A tool as chat models take it. */
export const functionOf = memoize(
  (tool: AnyTool): FunctionTool => ({
    type: 'function',
    function: { name: tool.id, description: tool.description, parameters: modelSchema(paramsJsonSchema(tool)) },
  }),
)

const tokensOfTool = memoize((tool: AnyTool): number =>
  Math.ceil(JSON.stringify(functionOf(tool)).length / CHARS_PER_TOKEN),
)

/** Estimated tokens of a tool's definition; null: of a function that every run may have. */
export const definitionTokens = (tool: AnyTool | null): number => (tool ? tokensOfTool(tool) : BUILTIN_TOKENS)

/** What decides which tools a run begins with. Nothing that it reads is part of it. */
export type ToolOffer = {
  tools: readonly AnyTool[]
  model: Pick<Model, 'contextSize'>
  goal: string
}

const tokensOf = (tools: readonly AnyTool[]): number => tools.reduce((sum, tool) => sum + definitionTokens(tool), 0)

const goalTokens = (goal: string): number => Math.ceil(Buffer.byteLength(goal) / BYTES_PER_TOKEN)

/** Tokens that the definitions of tools may take. */
export const maxToolTokens = ({ model, goal }: Pick<ToolOffer, 'model' | 'goal'>): number =>
  Math.min(model.contextSize * TOOLS_SHARE, model.contextSize * FIXED_SHARE - INSTRUCTION_TOKENS - goalTokens(goal))

/** True where every tool of a run is defined from its first step. */
export const hasFewTools = ({ tools }: Pick<ToolOffer, 'tools'>): boolean => tokensOf(tools) <= FEW_TOKENS

/** The tools that a run begins with, as many as its context takes. */
export function firstTools(offer: ToolOffer): AnyTool[] {
  const ways = hasFewTools(offer) ? offer.tools : offer.tools.filter(({ isFirst }) => isFirst === 'defined')
  let left = maxToolTokens(offer)
  return ways.filter((tool) => {
    const tokens = definitionTokens(tool)
    if (tokens > left) return false
    left -= tokens
    return true
  })
}

/**
 * The context that a run needs at least; null: its model's is enough for the instructions, the
 * goal, some tools and the work.
 */
export function missingContext(offer: ToolOffer): { neededTokens: number; toolTokens: number } | null {
  const ways = offer.tools.filter(({ isFirst }) => isFirst)
  const toolTokens = tokensOf((ways.length > 0 ? ways : offer.tools).slice(0, MIN_TOOLS))
  if (maxToolTokens(offer) >= toolTokens) return null
  const byGoal = (INSTRUCTION_TOKENS + goalTokens(offer.goal) + toolTokens) / FIXED_SHARE
  return { neededTokens: Math.ceil(Math.max(byGoal, toolTokens / TOOLS_SHARE)), toolTokens }
}
