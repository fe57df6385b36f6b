import { z } from 'zod'
import type { JsonSchema } from '../../kit/json-schema'
import { agentsFor } from '../agents/router'
import { PlanArguments } from './plan'
import { type AgentRun, currentAgent, HAND_OFF } from './state'
import { RESULT_READ } from './tool-result'

/** A function as chat models take it. */
export type FunctionTool = {
  type: 'function'
  function: { name: string; description: string; parameters: JsonSchema }
}

export const ASK_USER = 'ask_user'
export const PRESENT_PLAN = 'present_plan'

/**
 * The functions that every run may have besides its tools. What they read the run has read before,
 * and what they are given stays in the conversation: the agent that a run is handed to knows what
 * the run knows.
 */
export const BUILTIN_NAMES: readonly string[] = [ASK_USER, PRESENT_PLAN, HAND_OFF, RESULT_READ]

const text = (description: string) => ({ type: 'string' as const, description })

const makeFunction = (name: string, description: string, properties: Record<string, JsonSchema>): FunctionTool => ({
  type: 'function',
  function: {
    name,
    description,
    parameters: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
  },
})

const { $schema: _version, ...planSchema } = z.toJSONSchema(PlanArguments, { io: 'input' })

/** Asking a question and showing a plan, in runs where a person is there to answer. */
export const INTERACTIVE_TOOLS: readonly FunctionTool[] = [
  makeFunction(ASK_USER, 'Ask the person one question and wait for the answer. Only for what no tool can find out.', {
    question: text('The question, complete in itself'),
  }),
  {
    type: 'function',
    function: {
      name: PRESENT_PLAN,
      description:
        'Show the person what you are going to do, step by step with tools and estimated credits, and wait for approval. After a rejection, change the plan as the feedback asks, and say in `answers` how.',
      parameters: planSchema,
    },
  },
]

/** Handing over to another agent, where the run has tools for one. */
export function handOffTool(run: AgentRun): FunctionTool[] {
  const others = agentsFor(run.tools).filter(({ id }) => id !== currentAgent(run).id)
  if (others.length === 0) return []
  const list = others.map(({ id, about }) => `${id}: ${about}`).join('. ')
  return [
    makeFunction(HAND_OFF, `Hand the goal over to an agent with other tools. ${list}.`, {
      agent: { type: 'string', enum: others.map(({ id }) => id) },
      reason: text('Why that agent is the better one'),
    }),
  ]
}
