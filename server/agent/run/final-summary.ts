import { z } from 'zod'
import { isOnlyReserved } from '../../credits/reserve'
import { AppError } from '../../errors'
import { log } from '../../kit/log'
import { limitOf } from '../jobs/run-limit'
import type { RunLimit } from '../shape'
import { callRunModel } from './call-model'
import type { RunProgress } from './commit'
import { completeRun } from './complete-run'
import { creditsLeft } from './credits-left'
import { shortDigest } from './digest'
import { planFinalSummary } from './final-summary-prompt'
import { beginLiveStep } from './live-steps'
import { finishReply, isCutReply } from './reply-finish'
import { type AgentRun, nextStepIndex, stepsOfRun } from './state'
import { costToFinish, readCallsLeft, type ToFinish } from './to-finish'
import { completedWith } from './transition'
import { answerSoFar } from './unfinished-replies'
import { joinRest, wholeSentences } from './whole-sentences'

const MIN_OUTPUT = 64

const credits = (n: number) => `${n.toLocaleString('en-US')} credits`

const REASONS: Record<RunLimit, (run: AgentRun) => string> = {
  conversation: (run) =>
    `the spend limit of this conversation, ${credits(run.spendLimitCredits)}, left too little for another step. Raise it and continue, or start a new one`,
  run: () =>
    'the spend limit of this run left too little for another step. Continue in the same conversation with a higher one',
  budget: () =>
    'a budget of the account left too little for another step. Continue in the same conversation when it has more',
  key_budget: () =>
    "the key's lifetime budget left too little for another step. Continue in the same conversation with a key that has more",
  key_period: () =>
    "the key's recurring budget left too little for another step. Continue in the same conversation when it begins anew, or with another key",
  account_day: () =>
    "the account's daily limit left too little for another step. Continue in the same conversation tomorrow (UTC)",
  balance: () =>
    "the account's balance left too little for another step. Add credits, then continue in the same conversation",
}

/** Why a run was stopped, and what the rest of it would cost. */
function noteOf(run: AgentRun, toFinish: ToFinish | null): string {
  const limit = limitOf(run.limitReached ?? 'conversation', run.stopAtCredits !== null)
  const rest = toFinish
    ? ` What was left undone would cost about ${toFinish.from === toFinish.to ? '' : `${toFinish.from.toLocaleString('en-US')} to `}${credits(toFinish.to)} more.`
    : ''
  return `_This run was stopped: ${REASONS[limit](run)}.${rest}_`
}

/** A beginning of an answer that is shorter says too little to be continued. */
const MIN_BEGUN_CHARS = 300

const Written = z.object({
  text: z.string(),
  toFinish: z.object({ calls: z.int(), from: z.int(), to: z.int() }).optional(),
})

/** What the final summary of a run says; null: it has none yet. */
function writtenSummary(run: AgentRun): z.infer<typeof Written> | null {
  const step = stepsOfRun(run).findLast(({ kind }) => kind === 'wrap_up')
  return step ? Written.parse(step.output) : null
}

/**
 * Ends a run that a limit stopped, with an answer by its model that is whole: what it had begun to
 * write and the rest of it, or a short one from what was found. It is paid from all that is left;
 * where nothing is, the begun answer or a free digest is the end.
 */
export async function runFinalSummary(run: AgentRun): Promise<RunProgress> {
  const begun = answerSoFar(run)
  const kept = begun.length >= MIN_BEGUN_CHARS && run.outputSchema === null ? wholeSentences(begun) : ''
  const end = (text: string, toFinish: ToFinish | null = null) =>
    completedWith(`${text.trim()}\n\n${noteOf(run, toFinish)}`)
  // A worker before this one has written it, and died while the result was checked.
  const written = writtenSummary(run)
  if (written) return completeRun(run, null, end(written.text, written.toFinish ?? null))
  const index = nextStepIndex(run)
  const startedAt = new Date()
  const { messages, promptTokens, maxOutput } = await planFinalSummary(run, (await creditsLeft(run)).credits, kept)
  try {
    const { message, finishReason, usage, estimated, settlement } = await callRunModel(run, {
      index,
      body: { messages },
      promptTokens,
      maxOutput,
      minOutput: Math.min(MIN_OUTPUT, maxOutput),
      minRemaining: 0n,
      onDelta: beginLiveStep(run, { index, kind: 'wrap_up', name: run.model.id, startedAt }),
    })
    const { text: given } = finishReply({ message, finishReason })
    const reply = readCallsLeft(isCutReply(finishReason) ? wholeSentences(given) : given)
    const text = reply.text === '' ? begun || shortDigest(run) : kept === '' ? reply.text : joinRest(kept, reply.text)
    const toFinish = costToFinish(run, reply.calls)
    const draft = {
      index,
      kind: 'wrap_up' as const,
      name: run.model.id,
      input: { limit: run.limitReached, maxOutput },
      startedAt,
      settlement,
      outcome: () => ({ output: { text, ...usage, estimated, ...(toFinish && { toFinish }) } }),
    }
    return await completeRun(run, draft, end(text, toFinish))
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable' || error.code === 'internal_error') throw error
    if (isOnlyReserved(error)) throw error
    log.info({ job: run.jobId, err: error.message }, 'a run ends without a final summary')
    return completeRun(run, null, end(begun === '' ? shortDigest(run) : wholeSentences(begun)))
  }
}
