import type { AnyTool } from '../../tools/define'
import { cryptoAgent } from './crypto'
import { dataAgent } from './data'
import { generalAgent } from './general'
import { mediaAgent } from './media'
import { realEstateAgent } from './real-estate'
import { researchAgent } from './research'
import type { Agent } from './shape'
import { socialAgent } from './social'

/** Every agent; the last one takes what no other is sure of. */
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

/** The agents that have something to do with these tools. */
export const agentsFor = (tools: readonly AnyTool[]): Agent[] =>
  AGENTS.filter((agent) => agent === generalAgent || tools.some(agent.uses))

/** How much of a text speaks for an agent: the parts of its words that stand in it. */
function scoreOf({ words }: Agent, text: string): number {
  return words.reduce((sum, word) => sum + (text.includes(` ${word} `) ? word.split(' ').length : 0), 0)
}

/**
 * The agent that begins with a goal: the one whose words it holds most of, else the general one. No
 * model is asked: choosing costs nothing and is the same every time, and an agent that finds itself
 * in the wrong place hands over.
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
