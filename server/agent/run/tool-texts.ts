import type { AnyTool } from '../../tools/define'
import { describeParams } from '../../tools/params'
import { toolsByAgent } from '../agents'
import { hasFewTools } from './offered-tools'
import type { AgentRun } from './state'

/** What a call of a tool costs, in words. */
export function callPriceText({ pricing }: Pick<AnyTool, 'pricing'>): string {
  if (pricing.kind === 'metered') return 'real cost'
  if (pricing.credits === 0) return 'free'
  return pricing.credits === 1 ? '1 credit' : `${pricing.credits} credits`
}

const priceMark = ({ pricing }: AnyTool): string => (pricing.kind === 'metered' ? '~' : String(pricing.credits))

/** A call of a tool as people write one, with every parameter and its type. */
export function callSignature(tool: AnyTool): string {
  const params = describeParams(tool).map(({ name, type, required }) => `${name}${required ? '' : '?'}: ${type}`)
  return `${tool.id}({${params.join(', ')}})`
}

/**
 * Every tool of a run by name and price, with what is to know of its field: it is the same at every
 * step of a conversation.
 */
export function toolList(run: AgentRun): string {
  const lines = toolsByAgent(run.tools).map(({ agent, tools }) => {
    const named = tools.map((tool) => `${tool.id} ${priceMark(tool)}`)
    return `- ${agent.id}: ${named.join(', ')}. ${agent.guidance}`
  })
  const rest = hasFewTools(run)
    ? ''
    : ' Only some are defined from the start; a call brings those that usually follow it, tools_find brings any.'
  return [`Tools of this run, each with the credits of one call, ~ for its real cost.${rest}`, ...lines].join('\n')
}
