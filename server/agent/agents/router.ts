import type { AnyTool } from '../../tools/define'
import { cryptoAgent } from './crypto'
import { dataAgent } from './data'
import { generalAgent } from './general'
import { mediaAgent } from './media'
import { realEstateAgent } from './real-estate'
import { researchAgent } from './research'
import type { Agent } from './shape'
import { socialAgent } from './social'

/** Every agent. The last one takes what fits no other. */
export const AGENTS: readonly Agent[] = [
  researchAgent,
  socialAgent,
  cryptoAgent,
  realEstateAgent,
  mediaAgent,
  dataAgent,
  generalAgent,
]

export const findAgent = (id: string): Agent => AGENTS.find((agent) => agent.id === id) ?? generalAgent

/** The agents that use some of these tools. */
export const agentsFor = (tools: readonly AnyTool[]): Agent[] =>
  AGENTS.filter((agent) => agent === generalAgent || tools.some(agent.uses))

/** How well a text fits an agent: how many parts of its words the text contains. */
function scoreOf({ words }: Agent, text: string): number {
  return words.reduce((sum, word) => sum + (text.includes(` ${word} `) ? word.split(' ').length : 0), 0)
}

/**
 * The first agent for a goal: the one with the most words in it, else the general one. No model is
 * asked, so the choice costs nothing and is always the same; an agent that does not fit hands over.
 */
export function routeGoal(goal: string, tools: readonly AnyTool[]): Agent {
  const text = ` ${goal
    .slice(0, 4_000)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `
  const ranked = agentsFor(tools)
    .map((agent) => ({ agent, score: scoreOf(agent, text) }))
    .sort((a, b) => b.score - a.score)
  const [first, second] = ranked
  return first && first.score > 0 && first.score > (second?.score ?? 0) ? first.agent : generalAgent
}
