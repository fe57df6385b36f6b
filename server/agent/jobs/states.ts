import type { JobStatus } from '../shape'

/** What each status allows. */
const ALLOWED: Record<JobStatus, { step: boolean; answer: boolean; cancel: boolean; continue: boolean }> = {
  running: { step: true, answer: false, cancel: true, continue: false },
  awaiting_input: { step: false, answer: true, cancel: true, continue: false },
  completed: { step: false, answer: false, cancel: false, continue: true },
  failed: { step: false, answer: false, cancel: false, continue: true },
  cancelled: { step: false, answer: false, cancel: false, continue: true },
}

/** A worker may run the next step. */
export const canStep = (status: JobStatus): boolean => ALLOWED[status].step
/** The job waits for an answer. */
export const canAnswer = (status: JobStatus): boolean => ALLOWED[status].answer
export const canCancel = (status: JobStatus): boolean => ALLOWED[status].cancel
/** Another turn may begin: no run of the job is live. */
export const canContinue = (status: JobStatus): boolean => ALLOWED[status].continue
/** The turn has ended. */
export const hasFinished = canContinue
