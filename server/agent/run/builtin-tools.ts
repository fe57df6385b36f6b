import type { JsonSchema } from '../../tools/params'
import { agentsFor } from '../agents/router'
import { type AgentRun, currentAgent, HAND_OFF } from './state'

/** A function as chat models are told of it. */
export type FunctionTool = {
  type: 'function'
  function: { name: string; description: string; parameters: JsonSchema }
}

export const ASK_USER = 'ask_user'
export const PRESENT_PLAN = 'present_plan'

const text = (description: string) => ({ type: 'string' as const, description })

const fn = (name: string, description: string, properties: Record<string, JsonSchema>): FunctionTool => ({
  type: 'function',
  function: {
    name,
    description,
    parameters: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
  },
})

/** Asking the person and showing a plan: only where somebody is there to answer. */
export const INTERACTIVE_TOOLS: readonly FunctionTool[] = [
  fn(ASK_USER, 'Ask the person one question and wait for the answer. Only for what no tool can find out.', {
    question: text('The question, complete in itself'),
  }),
  fn(PRESENT_PLAN, 'Show the person what you are going to do and wait for approval.', {
    plan: text('The plan as Markdown: the steps, the tools, what they may cost'),
  }),
]

/** Handing over to another agent of this run, where there is one. */
export function handOffTool(run: AgentRun): FunctionTool[] {
  const others = agentsFor(run.tools).filter(({ id }) => id !== currentAgent(run).id)
  if (others.length === 0) return []
  const who = others.map(({ id, about }) => `${id}: ${about}`).join('. ')
  return [
    fn(HAND_OFF, `Hand the goal over to an agent with other tools. ${who}.`, {
      agent: { type: 'string', enum: others.map(({ id }) => id) },
      reason: text('Why it is the better one'),
    }),
  ]
}
