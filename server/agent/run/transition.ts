import type { LimitSource } from '../../credits/shape'
import type { Pause } from '../jobs/pause'

/** How a run ends. */
export type RunEnd = { status: 'completed' | 'failed'; result: string }

/** What follows from a step, or happens to a run without one. */
export type Transition =
  | { kind: 'continue' }
  /** A limit keeps the run from its next step. That stays so. */
  | { kind: 'limit'; limit: LimitSource }
  /** A further attempt of the step in progress, whose calls have holds of their own. */
  | { kind: 'retry'; attempts: number }
  /** Until a person answers. The run then holds no worker. */
  | { kind: 'pause'; awaiting: Pause }
  | ({ kind: 'end' } & RunEnd)
  /** Whichever worker is next goes on with it. */
  | { kind: 'release' }

export const CONTINUE: Transition = { kind: 'continue' }

export const completedWith = (result: string): Transition => ({ kind: 'end', status: 'completed', result })
export const failedWith = (result: string): Transition => ({ kind: 'end', status: 'failed', result })
