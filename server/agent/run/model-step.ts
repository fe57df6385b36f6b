import { defaultOutput } from '../../models/prices'
import { estimatePrompt } from '../../models/prompt'
import type { ModelStepOutput } from '../shape'
import { callRunModel, replyText, toolCallsIn } from './call-model'
import { commitStep, type RunProgress } from './commit'
import { functionsFor } from './functions'
import { summarizeHistory } from './history-summary'
import { handleRefusedStep } from './refused-step'
import { type AgentRun, currentAgent, nextStepIndex } from './state'
import { finalSummaryReserve } from './summary-reserve'
import { systemPromptFor } from './system-prompt'
import { transcriptMessages } from './transcript'
import { CONTINUE, completedWith } from './transition'

/**
 * Output tokens of a step: enough for a long answer, few enough that the hold leaves credits for
 * other calls.
 */
const MAX_OUTPUT = 8_192
/** With fewer output tokens than this a step is not worth its prompt. */
const MIN_OUTPUT = 256
/** Tool calls of one step that are made; further ones are dropped. */
const MAX_CALLS = 16
/** Part of a model's context that a prompt may fill before its oldest part is summarized. */
const MAX_CONTEXT_SHARE = 0.75

/** Asks the model for the next tool calls, or for the run's result: a reply without calls. */
export async function runModelStep(run: AgentRun): Promise<RunProgress> {
  const tools = functionsFor(run)
  const body = {
    messages: [{ role: 'system', content: systemPromptFor(run) }, ...transcriptMessages(run)],
    ...(tools.length > 0 && { tools }),
  }
  const promptTokens = await estimatePrompt(body, run.model)
  if (promptTokens > run.model.contextSize * MAX_CONTEXT_SHARE) return summarizeHistory(run)
  const index = nextStepIndex(run)
  const startedAt = new Date()
  try {
    const { message, usage, estimated, settlement } = await callRunModel(run, {
      index,
      body,
      promptTokens,
      maxOutput: Math.min(MAX_OUTPUT, defaultOutput(run.model, promptTokens)),
      minOutput: MIN_OUTPUT,
      minRemaining: await finalSummaryReserve(run),
    })
    const output: ModelStepOutput = {
      agent: currentAgent(run).id,
      text: replyText(message),
      calls: toolCallsIn(message).slice(0, MAX_CALLS),
      ...usage,
      estimated,
    }
    const draft = {
      index,
      kind: 'model' as const,
      name: run.model.id,
      input: { messages: body.messages.length, tools: tools.map((tool) => tool.function.name) },
      startedAt,
      settlement,
      outcome: () => ({ output }),
    }
    return await commitStep(run, draft, output.calls.length > 0 ? CONTINUE : completedWith(resultOf(output)))
  } catch (error) {
    return handleRefusedStep(run, error)
  }
}

const resultOf = ({ text }: ModelStepOutput) => text.trim() || 'The agent ended without an answer.'
