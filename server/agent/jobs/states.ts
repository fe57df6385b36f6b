import type { JobStatus } from '../shape'

/** What may happen to a job in each status. */
const MAY: Record<JobStatus, { step: boolean; answer: boolean; cancel: boolean; follow: boolean }> = {
  running: { step: true, answer: false, cancel: true, follow: false },
  awaiting_input: { step: false, answer: true, cancel: true, follow: false },
  completed: { step: false, answer: false, cancel: false, follow: true },
  failed: { step: false, answer: false, cancel: false, follow: true },
  cancelled: { step: false, answer: false, cancel: false, follow: true },
}

/** The run goes on: a worker may do its next step. */
export const canStep = (status: JobStatus): boolean => MAY[status].step
/** A person is asked. */
export const canAnswer = (status: JobStatus): boolean => MAY[status].answer
export const canCancel = (status: JobStatus): boolean => MAY[status].cancel
/** A further turn may begin: no run of the conversation is live. */
export const canContinue = (status: JobStatus): boolean => MAY[status].follow
/** Nothing more happens to this turn. */
export const hasFinished = canContinue
