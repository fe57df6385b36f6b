import { holdForTokens } from '../../models/prices'
import { countTokensCached } from '../../models/tokens'
import { digestGoal, digestLines, FINAL_SUMMARY_PROMPT, lineChars } from './digest'
import { type AgentRun, stepsOfRun } from './state'

/** Output tokens of a final summary. */
export const FINAL_SUMMARY_OUTPUT = 512
/** Tokens of labels and of what chat formats put around messages. */
const FRAME_TOKENS = 32
/** Tokens of a line beyond its characters: a character is rarely more than one token. */
const LINE_FRAME_TOKENS = 8

/**
 * Credits that a step leaves free, so that its run can still pay for a final summary. `newSteps`:
 * steps about to be made. Line by line, so that each step is counted once and the summary's prompt
 * is estimated only when it is sent.
 */
export async function finalSummaryReserve(run: AgentRun, newSteps = 1): Promise<bigint> {
  const parts = [FINAL_SUMMARY_PROMPT, digestGoal(run), ...digestLines(run)]
  const counts = await Promise.all(parts.map((text) => countTokensCached(text)))
  const known = counts.reduce((sum, tokens) => sum + tokens + 1, FRAME_TOKENS)
  const maxLine = lineChars(stepsOfRun(run).length + newSteps) + LINE_FRAME_TOKENS
  const promptTokens = known + newSteps * maxLine
  return holdForTokens({ promptTokens, outputTokens: FINAL_SUMMARY_OUTPUT, n: 1 }, run.model)
}
