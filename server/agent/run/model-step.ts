import { defaultOutput } from '../../models/prices'
import { countTokensCached } from '../../models/tokens'
import { isAnnouncement } from './announcement'
import { askModel } from './ask-model'
import type { ModelCall, ModelReply } from './call-model'
import { commitStep, type RunProgress } from './commit'
import { directCall } from './direct-calls'
import { functionNames, functionsFor } from './functions'
import { summarizeHistory } from './history-summary'
import { beginLiveStep } from './live-steps'
import type { ModelStepOutput } from './model-step-output'
import { hostNamedFiles } from './named-files'
import { estimateAgentPrompt } from './prompt-size'
import { handleRefusedStep } from './refused-step'
import { reasonToEndRepetition } from './repeated-calls'
import { finishReply, replyText } from './reply-finish'
import { withImages } from './show-images'
import { type AgentRun, currentAgent, nextStepIndex, stepsOfRun } from './state'
import { ANSWER_OUTPUT } from './step-forecast'
import { MAX_CALLS } from './step-messages'
import { nextNote, withNote } from './step-note'
import { finalSummaryReserve } from './summary-reserve'
import { systemPromptFor } from './system-prompt'
import { withCallsOfText } from './text-calls'
import { type TranscriptMessage, transcriptMessages } from './transcript'
import { CONTINUE, failedWith } from './transition'
import { lastUnfinished, needsMoreOutput, transitionAfter } from './unfinished-replies'

/**
 * Output tokens of a step: enough for a long answer, few enough that the hold leaves credits for
 * other calls.
 */
const MAX_OUTPUT = 8_192
/** Output tokens of a step whose last attempt had too few. */
const RAISED_OUTPUT = 32_768
/**
 * With fewer output tokens than this a step is not worth its prompt. After others it is worth less
 * than a final summary of what they found, unless an answer fits.
 */
const MIN_OUTPUT = 256
/** Tokens that a note takes beside its own. */
const FRAME_TOKENS = 8
/** Part of a model's context that a prompt may fill before its oldest part is summarized. */
const MAX_CONTEXT_SHARE = 0.75

/**
 * Another try of an answer: what is asked, and the schema for upstreams that hold a model to it.
 */
type Repair = { request: TranscriptMessage; format: Record<string, unknown> | null }

const formatFor = (schema: Record<string, unknown>) => ({
  type: 'json_schema',
  json_schema: { name: 'answer', schema },
})

/**
 * Asks the model for the next tool calls, or for the run's result: a reply without calls. A result
 * for a schema is checked when it is committed; `repair` asks for it again, without calls.
 */
export async function runModelStep(run: AgentRun, repair?: Repair): Promise<RunProgress> {
  const repetition = reasonToEndRepetition(stepsOfRun(run))
  if (repetition !== null) return commitStep(run, null, failedWith(repetition))
  const tools = functionsFor(run)
  const withTools = tools.length > 0 && { tools }
  const reserve = await finalSummaryReserve(run)
  const transcript = transcriptMessages(run)
  const before = await estimateAgentPrompt({ messages: await asSent(transcript), ...withTools }, run.model)
  const kept = await nextNote(run, { promptTokens: before, reserve: Number(reserve) })
  const stable = await asSent(withNote(transcript, kept.note))
  const body = {
    messages: [...stable, ...(repair ? [repair.request] : [])],
    ...withTools,
    ...(withTools && repair && { tool_choice: 'none' }),
    ...(repair?.format && { response_format: formatFor(repair.format) }),
  }
  const added = (await countTokensCached(kept.note)) + FRAME_TOKENS
  const promptTokens = repair ? await estimateAgentPrompt(body, run.model) : before + added
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
      minRemaining: reserve,
      onDelta: beginLiveStep(run, { index, kind: 'model', name: run.model.id, startedAt }),
    })
    const output = { ...outputOf(run, reply), ...(repair && { calls: [] }) }
    const transition = transitionAfter(run, output)
    const isResult = transition.kind === 'end' && transition.status === 'completed'
    // It ends the run once it is seen to conform, and its checks are tested.
    const isChecked = isResult && (run.outputSchema !== null || run.checks !== null)
    const artifacts = isResult && run.outputSchema === null ? await hostNamedFiles(run, transition.result) : []
    const draft = {
      index,
      kind: 'model' as const,
      name: run.model.id,
      input: { messages: body.messages.length, tools: tools.map((tool) => tool.function.name), ...kept },
      startedAt,
      settlement: reply.settlement,
      outcome: () => ({ output, ...(artifacts.length > 0 && { artifacts }) }),
    }
    return await commitStep(run, draft, isChecked ? CONTINUE : transition)
  } catch (error) {
    return handleRefusedStep(run, error)
  }

  async function asSent(messages: readonly TranscriptMessage[]): Promise<TranscriptMessage[]> {
    return [{ role: 'system', content: systemPromptFor(run) }, ...(await withImages(run, messages))]
  }
}

/**
 * Output tokens of the next reply. One that had too few, for its reasoning or for a call, is asked
 * for again with more; where the credits do not pay for more, that is a limit.
 */
function outputFor(run: AgentRun, promptTokens: number): Pick<ModelCall, 'maxOutput' | 'minOutput'> {
  const last = lastUnfinished(run)
  const had = last && needsMoreOutput(last) ? (last.maxOutput ?? 0) : null
  const minOutput = stepsOfRun(run).some(({ kind }) => kind === 'tool') ? ANSWER_OUTPUT : MIN_OUTPUT
  if (had === null) return { maxOutput: Math.min(MAX_OUTPUT, defaultOutput(run.model, promptTokens)), minOutput }
  const raised = { ...run.model, defaultMaxOutput: RAISED_OUTPUT }
  const maxOutput = defaultOutput(raised, promptTokens)
  return { maxOutput, minOutput: Math.min(had * 2, maxOutput) }
}

/** The reply as the output of its step. */
function outputOf(run: AgentRun, reply: ModelReply): ModelStepOutput {
  const names = functionNames(run)
  const written = withCallsOfText(reply.message, replyText(reply.message), new Set(names))
  const { text, calls, message, finish: ended, cutCall } = finishReply({ ...reply, message: written })
  const isSecond = lastUnfinished(run)?.finish === 'announced'
  const isAnnounced = ended === 'stop' && run.outputSchema === null && isAnnouncement(text, { names, isSecond })
  const finish = isAnnounced ? 'announced' : ended
  const { usage, maxOutput, savedCredits, estimated } = reply
  return {
    agent: currentAgent(run),
    text,
    calls: calls.slice(0, MAX_CALLS).map((call) => directCall(run, call)),
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
