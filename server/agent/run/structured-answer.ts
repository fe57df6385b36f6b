import { AppError } from '../../errors'
import { readStructured } from '../structured/schema-pool'
import { commitStep, type RunProgress } from './commit'
import { completeRun } from './complete-run'
import { runModelStep } from './model-step'
import { type AgentRun, stepsOfRun } from './state'
import type { TranscriptMessage } from './transcript'
import { completedWithValue, failedWith } from './transition'
import { finishedAnswers } from './unfinished-replies'

/** How often a run may answer: once, and once more after it was said what is wrong. */
const MAX_ANSWERS = 2

/** What the model is asked after an answer that does not conform to its schema. */
const repairRequest = (errors: readonly string[]): TranscriptMessage => ({
  role: 'user',
  content: `Your answer does not conform to the JSON Schema:\n${errors.map((error) => `- ${error}`).join('\n')}\nSend the whole answer again, corrected: one JSON value and nothing else. This is the last try.`,
})

/**
 * Ends a run whose result must conform to a schema, if its answer does. Otherwise the model is
 * asked once more, then the run has failed. What is decided follows from the rows alone.
 */
export async function concludeStructured(run: AgentRun, schema: Record<string, unknown>): Promise<RunProgress> {
  const answers = finishedAnswers(stepsOfRun(run))
  const text = answers.at(-1) ?? ''
  const read = await readStructured({ schema, text }, { ownerId: run.ownerId })
  if (read.kind === 'valid') return completeRun(run, null, completedWithValue(text, read.value))
  if (answers.length >= MAX_ANSWERS) {
    const reason = `_The run was given up: its answer does not conform to outputSchema. ${read.errors.join(' ')}_`
    return commitStep(run, null, failedWith([text, reason].filter(Boolean).join('\n\n')))
  }
  // Not every upstream takes a response format, so only the first attempt asks for one.
  const isFirst = run.attempts === 1
  try {
    return await runModelStep(run, { request: repairRequest(read.errors), format: isFirst ? schema : null })
  } catch (error) {
    if (!isFirst || !(error instanceof AppError) || error.code !== 'invalid_request') throw error
    return commitStep(run, null, { kind: 'retry', attempts: run.attempts + 1 })
  }
}
