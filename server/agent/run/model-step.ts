import { defaultOutput } from '../../models/prices'
import type { ModelStepOutput } from '../shape'
import { askModel } from './ask-model'
import type { ModelCall, ModelReply } from './call-model'
import { commitStep, type RunProgress } from './commit'
import { creditsLeftMessage } from './credits-left'
import { functionsFor } from './functions'
import { summarizeHistory } from './history-summary'
import { beginLiveStep } from './live-steps'
import { estimateAgentPrompt } from './prompt-size'
import { handleRefusedStep } from './refused-step'
import { reasonToEndRepetition } from './repeated-calls'
import { finishReply } from './reply-finish'
import { type AgentRun, currentAgent, nextStepIndex, stepsOfRun } from './state'
import { MAX_CALLS } from './step-messages'
import { finalSummaryReserve } from './summary-reserve'
import { systemPromptFor } from './system-prompt'
import { transcriptMessages } from './transcript'
import { failedWith } from './transition'
import { lastUnfinished, needsMoreOutput, transitionAfter } from './unfinished-replies'

/**
 * Output tokens of a step: enough for a long answer, few enough that the hold leaves credits for
 * other calls.
 */
const MAX_OUTPUT = 8_192
/** Output tokens of a step whose last attempt had too few. */
const RAISED_OUTPUT = 32_768
/** With fewer output tokens than this a step is not worth its prompt. */
const MIN_OUTPUT = 256
/** Part of a model's context that a prompt may fill before its oldest part is summarized. */
const MAX_CONTEXT_SHARE = 0.75

/** Asks the model for the next tool calls, or for the run's result: a reply without calls. */
export async function runModelStep(run: AgentRun): Promise<RunProgress> {
  const repetition = reasonToEndRepetition(stepsOfRun(run))
  if (repetition !== null) return commitStep(run, null, failedWith(repetition))
  const tools = functionsFor(run)
  const stable = [{ role: 'system', content: systemPromptFor(run) }, ...transcriptMessages(run)]
  const body = {
    messages: [...stable, await creditsLeftMessage(run)],
    ...(tools.length > 0 && { tools }),
  }
  const promptTokens = await estimateAgentPrompt(body, run.model)
  if (promptTokens > run.model.contextSize * MAX_CONTEXT_SHARE) return summarizeHistory(run)
  const index = nextStepIndex(run)
  const startedAt = new Date()
  try {
    const reply = await askModel(run, {
      index,
      body,
      promptTokens,
      stableMessages: stable.length,
      ...outputFor(run, promptTokens),
      minRemaining: await finalSummaryReserve(run),
      onDelta: beginLiveStep(run, { index, kind: 'model', name: run.model.id, startedAt }),
    })
    const output = outputOf(run, reply)
    const draft = {
      index,
      kind: 'model' as const,
      name: run.model.id,
      input: { messages: body.messages.length, tools: tools.map((tool) => tool.function.name) },
      startedAt,
      settlement: reply.settlement,
      outcome: () => ({ output }),
    }
    return await commitStep(run, draft, transitionAfter(run, output))
  } catch (error) {
    return handleRefusedStep(run, error)
  }
}

/**
 * Output tokens of the next reply. One that had too few, for its reasoning or for a call, is asked
 * for again with more; where the credits do not pay for more, that is a limit.
 */
function outputFor(run: AgentRun, promptTokens: number): Pick<ModelCall, 'maxOutput' | 'minOutput'> {
  const last = lastUnfinished(run)
  const had = last && needsMoreOutput(last) ? (last.maxOutput ?? 0) : null
  if (had === null)
    return { maxOutput: Math.min(MAX_OUTPUT, defaultOutput(run.model, promptTokens)), minOutput: MIN_OUTPUT }
  const raised = { ...run.model, defaultMaxOutput: RAISED_OUTPUT }
  const maxOutput = defaultOutput(raised, promptTokens)
  return { maxOutput, minOutput: Math.min(had * 2, maxOutput) }
}

/** The reply as the output of its step. */
function outputOf(run: AgentRun, reply: ModelReply): ModelStepOutput {
  const { text, calls, message, finish, cutCall } = finishReply(reply)
  const { usage, maxOutput, savedCredits, estimated } = reply
  return {
    agent: currentAgent(run).id,
    text,
    calls: calls.slice(0, MAX_CALLS),
    message,
    finish,
    cutCall,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    maxOutput,
    cachedTokens: usage.cachedInputTokens ?? 0,
    cacheWriteTokens: usage.cacheWriteTokens ?? 0,
    reasoningTokens: usage.reasoningTokens ?? 0,
    savedCredits,
    estimated,
  }
}
