import { z } from 'zod'
import type { JsonSchema } from '../../kit/json-schema'
import { TOOLS_CALL, TOOLS_FIND } from './loaded-tools'
import { PlanArguments } from './plan'
import { RESULT_READ } from './tool-result'

/** A function as chat models take it. */
export type FunctionTool = {
  type: 'function'
  function: { name: string; description: string; parameters: JsonSchema }
}

export const ASK_USER = 'ask_user'
export const PRESENT_PLAN = 'present_plan'
export const REMEMBER = 'remember'

/**
 * The functions that every run may have besides its tools. What they read the run has read before,
 * and what they are given stays in the conversation. `hand_off` is of older runs.
 */
export const BUILTIN_NAMES: readonly string[] = [
  ASK_USER,
  PRESENT_PLAN,
  TOOLS_FIND,
  TOOLS_CALL,
  RESULT_READ,
  REMEMBER,
  'hand_off',
]

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
