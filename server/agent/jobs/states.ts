import type { JobStatus } from '../shape'

/** What each status allows. */
const ALLOWED: Record<JobStatus, { answer: boolean; cancel: boolean; continue: boolean }> = {
  running: { answer: false, cancel: true, continue: false },
  awaiting_input: { answer: true, cancel: true, continue: false },
  completed: { answer: false, cancel: false, continue: true },
  failed: { answer: false, cancel: false, continue: true },
  cancelled: { answer: false, cancel: false, continue: true },
}

/** The job waits for an answer. */
export const canAnswer = (status: JobStatus): boolean => ALLOWED[status].answer
export const canCancel = (status: JobStatus): boolean => ALLOWED[status].cancel
/** The turn has ended, and another may begin. */
export const hasFinished = (status: JobStatus): boolean => ALLOWED[status].continue
