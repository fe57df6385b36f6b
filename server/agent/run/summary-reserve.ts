import { holdForTokens } from '../../models/prices'
import { countTokensCached } from '../../models/tokens'
import { digestGoal } from './digest'
import { FINAL_SUMMARY_OUTPUT, finalSummaryPrompt } from './final-summary-prompt'
import { type AgentRun, stepsOfRun } from './state'

/** Tokens of labels and of what chat formats put around messages. */
const FRAME_TOKENS = 48
/** Tokens of its record that are paid for: a part for each step, as many as this. */
const RECORD_TOKENS = { each: 400, most: 2_400 }

/** Tokens of a final summary's prompt beside its record. */
async function frameTokens(run: AgentRun): Promise<number> {
  const parts = [finalSummaryPrompt(FINAL_SUMMARY_OUTPUT, false), digestGoal(run)]
  const counts = await Promise.all(parts.map((text) => countTokensCached(text)))
  return counts.reduce((sum, tokens) => sum + tokens, FRAME_TOKENS)
}

/**
 * Credits that a step leaves free, so that its run can still pay for a final summary with what it
 * found. `newSteps`: steps about to be made.
 */
export async function finalSummaryReserve(run: AgentRun, newSteps = 1): Promise<bigint> {
  const steps = stepsOfRun(run).length + newSteps
  const record = Math.min(RECORD_TOKENS.most, steps * RECORD_TOKENS.each)
  const promptTokens = (await frameTokens(run)) + record
  return holdForTokens({ promptTokens, outputTokens: FINAL_SUMMARY_OUTPUT, n: 1 }, run.model)
}
