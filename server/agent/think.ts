import { defaultOutput } from '../models/meter'
import { estimatePrompt } from '../models/prompt'
import { paramsJsonSchema } from '../tools/params'
import { askModel, callsOf, textOf } from './ask-model'
import { ASKING, type FunctionTool, handOffTool } from './builtins'
import { commit, type Going } from './commit'
import { instructionsFor } from './instructions'
import { refusedStep } from './refused-step'
import { currentAgent, mayAct, nextIndex, type Run } from './run'
import type { Thought } from './shape'
import { canSumUp, sumUp } from './sum-up'
import { messagesOf } from './transcript'
import { CONTINUE, completed, failed } from './transition'
import { allowanceOf } from './wrap-up'

/** Output tokens of a step: enough for a long answer, little enough that a hold does not eat a budget. */
const MOST_OUTPUT = 8_192
/** A step with less room than this is not worth its prompt. */
const FEWEST_OUTPUT = 256
/** Calls of one thought that are made; more are forgotten. */
export const MOST_CALLS = 16
/** Part of a model's context that a prompt may take before what is old is summed up. */
const FULL = 0.75

/** What the model of a run may call now: decided by the run's settings and state, by nothing it has read. */
export function functionsOf(run: Run): FunctionTool[] {
  if (!mayAct(run)) return [...ASKING]
  const agent = currentAgent(run)
  const tools = run.tools.filter(agent.uses).map(
    (tool): FunctionTool => ({
      type: 'function',
      function: { name: tool.id, description: tool.description, parameters: paramsJsonSchema(tool) },
    }),
  )
  return [...tools, ...handOffTool(run), ...(run.mode === 'interactive' ? ASKING : [])]
}

/** The model's next step: what it says and calls; what it says without a call is the result. */
export async function think(run: Run): Promise<Going> {
  const tools = functionsOf(run)
  const body = {
    messages: [{ role: 'system', content: instructionsFor(run) }, ...messagesOf(run)],
    ...(tools.length > 0 && { tools }),
  }
  const promptTokens = await estimatePrompt(body, run.model)
  if (promptTokens > run.model.contextSize * FULL) {
    if (canSumUp(run)) return sumUp(run)
    return (await commit(run, null, failed(tooLong(run)))).going
  }
  const index = nextIndex(run)
  const startedAt = new Date()
  const wanted = Math.min(MOST_OUTPUT, defaultOutput(run.model, promptTokens))
  try {
    const spare = await allowanceOf(run)
    const said = await askModel(run, { body, wanted, fewest: FEWEST_OUTPUT, spare, index })
    const thought: Thought = {
      agent: currentAgent(run).id,
      text: textOf(said.message),
      calls: callsOf(said.message).slice(0, MOST_CALLS),
      ...said.usage,
      estimated: said.estimated,
    }
    const draft = {
      index,
      kind: 'model' as const,
      name: run.model.id,
      input: { messages: body.messages.length, tools: tools.map((tool) => tool.function.name) },
      startedAt,
      settlement: said.settlement,
      outcome: () => ({ output: thought }),
    }
    return (await commit(run, draft, thought.calls.length > 0 ? CONTINUE : completed(resultOf(thought)))).going
  } catch (error) {
    return refusedStep(run, error)
  }
}

const resultOf = ({ text }: Thought) => text.trim() || 'The agent ended without saying anything.'

const tooLong = ({ model }: Run) =>
  `The conversation no longer fits ${model.id}, which takes ${model.contextSize.toLocaleString('en-US')} tokens. Start a new one, or send fewer turns with historyTurnLimit.`
