import { defaultOutput } from '../../models/prices'
import { estimatePrompt } from '../../models/prompt'
import { paramsJsonSchema } from '../../tools/params'
import type { ModelStepOutput } from '../shape'
import { type FunctionTool, handOffTool, INTERACTIVE_TOOLS } from './builtin-tools'
import { callRunModel, replyText, toolCallsIn } from './call-model'
import { commitStep, type RunProgress } from './commit'
import { finalSummaryReserve } from './final-summary'
import { canSummarizeHistory, summarizeHistory } from './history-summary'
import { handleRefusedStep } from './refused-step'
import { type AgentRun, canUseTools, currentAgent, nextStepIndex } from './state'
import { systemPromptFor } from './system-prompt'
import { transcriptMessages } from './transcript'
import { CONTINUE, completedWith, failedWith } from './transition'

/** Output tokens of a step: enough for a long answer, little enough that a hold does not eat a budget. */
const MOST_OUTPUT = 8_192
/** A step with less room than this is not worth its prompt. */
const FEWEST_OUTPUT = 256
/** Calls of one thought that are made; more are forgotten. */
export const MAX_CALLS_PER_STEP = 16
/** Part of a model's context that a prompt may take before what is old is summed up. */
const FULL = 0.75

/** What the model of a run may call now: decided by the run's settings and state, by nothing it has read. */
export function functionsFor(run: AgentRun): FunctionTool[] {
  if (!canUseTools(run)) return [...INTERACTIVE_TOOLS]
  const agent = currentAgent(run)
  const tools = run.tools.filter(agent.uses).map(
    (tool): FunctionTool => ({
      type: 'function',
      function: { name: tool.id, description: tool.description, parameters: paramsJsonSchema(tool) },
    }),
  )
  return [...tools, ...handOffTool(run), ...(run.mode === 'interactive' ? INTERACTIVE_TOOLS : [])]
}

/** The model's next step: what it says and calls; what it says without a call is the result. */
export async function runModelStep(run: AgentRun): Promise<RunProgress> {
  const tools = functionsFor(run)
  const body = {
    messages: [{ role: 'system', content: systemPromptFor(run) }, ...transcriptMessages(run)],
    ...(tools.length > 0 && { tools }),
  }
  const promptTokens = await estimatePrompt(body, run.model)
  if (promptTokens > run.model.contextSize * FULL) {
    if (canSummarizeHistory(run)) return summarizeHistory(run)
    return (await commitStep(run, null, failedWith(tooLong(run)))).going
  }
  const index = nextStepIndex(run)
  const startedAt = new Date()
  const wanted = Math.min(MOST_OUTPUT, defaultOutput(run.model, promptTokens))
  try {
    const spare = await finalSummaryReserve(run)
    const said = await callRunModel(run, { body, wanted, fewest: FEWEST_OUTPUT, spare, index })
    const thought: ModelStepOutput = {
      agent: currentAgent(run).id,
      text: replyText(said.message),
      calls: toolCallsIn(said.message).slice(0, MAX_CALLS_PER_STEP),
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
    return (await commitStep(run, draft, thought.calls.length > 0 ? CONTINUE : completedWith(resultOf(thought)))).going
  } catch (error) {
    return handleRefusedStep(run, error)
  }
}

const resultOf = ({ text }: ModelStepOutput) => text.trim() || 'The agent ended without saying anything.'

const tooLong = ({ model }: AgentRun) =>
  `The conversation no longer fits ${model.id}, which takes ${model.contextSize.toLocaleString('en-US')} tokens. Start a new one, or send fewer turns with historyTurnLimit.`
