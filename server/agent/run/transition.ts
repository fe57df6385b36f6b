import type { LimitSource } from '../../credits/shape'
import type { Pause } from '../jobs/pause'

/** How a run ends. */
type RunEnd = {
  status: 'completed' | 'failed'
  result: string
  /** The value of a result that conforms to the schema of its run. */
  value?: unknown
}

/** What follows from a step, or happens to a run between two steps. */
export type Transition =
  | { kind: 'continue' }
  /** A limit keeps the run from its next step, for good. */
  | { kind: 'limit'; limit: LimitSource }
  /** Another attempt of the step in progress. Each attempt has its own holds. */
  | { kind: 'retry'; attempts: number }
  /** The run waits for a person and occupies no worker. */
  | { kind: 'pause'; awaiting: Pause }
  | ({ kind: 'end' } & RunEnd)
  /** The next free worker continues the run. */
  | { kind: 'release' }

export const CONTINUE: Transition = { kind: 'continue' }

export const completedWith = (result: string): Transition => ({ kind: 'end', status: 'completed', result })
export const completedWithValue = (result: string, value: unknown): Transition => ({
  kind: 'end',
  status: 'completed',
  result,
  value,
})
export const failedWith = (result: string): Transition => ({ kind: 'end', status: 'failed', result })
