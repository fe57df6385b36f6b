import type { AnyTool } from '../../tools/define'
import { agentsFor } from '../agents/router'
import { toolsOffered } from './offered-tools'
import { type AgentRun, currentAgent } from './state'

const MAX_LINE_CHARS = 110
/** A model with a smaller context is not shown the tools of agents to hand over to. */
const MIN_CONTEXT_FOR_OTHERS = 32_000

/** What a call of a tool costs, in words. */
function priceText({ pricing }: Pick<AnyTool, 'pricing'>): string {
  if (pricing.kind === 'metered') return 'metered: what it really costs, known afterwards'
  if (pricing.credits === 0) return 'free'
  return pricing.credits === 1 ? '1 credit' : `${pricing.credits} credits`
}

/** A tool in one line: its id, what a call costs, and what it is for. */
function toolLine(tool: AnyTool): string {
  const [sentence = ''] = tool.description.split(/(?<=[.;:]) /, 1)
  const about = sentence.length > MAX_LINE_CHARS ? `${sentence.slice(0, MAX_LINE_CHARS - 1).toWellFormed()}…` : sentence
  return `- ${tool.id} (${priceText(tool)}): ${about}`
}

/**
 * Every tool of a run with its price: those of the agent in charge, then those of agents to hand
 * over to. It is the same at every step of a run under one agent.
 */
export function toolList(run: AgentRun): string {
  const agent = currentAgent(run)
  const own = toolsOffered({ ...run, agent })
  const title = 'Your tools, with the price of one call:'
  if (run.model.contextSize < MIN_CONTEXT_FOR_OTHERS) return [title, ...own.map(toolLine)].join('\n')
  const others = agentsFor(run.tools).filter(({ id }) => id !== agent.id && id !== GENERAL)
  const listed = new Set(own.map(({ id }) => id))
  const groups = others.flatMap((other) => {
    const tools = run.tools.filter((tool) => other.uses(tool) && !listed.has(tool.id))
    for (const { id } of tools) listed.add(id)
    return tools.length > 0 ? [{ title: `Tools of the ${other.id} agent, after hand_off to it:`, tools }] : []
  })
  const rest = run.tools.filter(({ id }) => !listed.has(id))
  return [
    { title, tools: own },
    ...groups,
    { title: `Tools of the ${GENERAL} agent, after hand_off to it:`, tools: rest },
  ]
    .filter(({ tools }) => tools.length > 0)
    .map(({ title, tools }) => [title, ...tools.map(toolLine)].join('\n'))
    .join('\n\n')
}

/** The agent that has every tool. */
const GENERAL = 'general'
