import type { SettleRequest } from '../../credits/settlement'
import type { LimitSource } from '../../credits/shape'
import type { StoredCheck } from '../checks/stored'
import type { Pause } from '../jobs/pause'

/** How a run ends. */
type RunEnd = {
  status: 'completed' | 'failed'
  result: string
  /** The value of a result that conforms to the schema of its run. */
  value?: unknown
  /** The checks of the run, all of them tested. */
  checks?: StoredCheck[]
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
  /** A judge has answered, and is paid: these are the run's checks now, and its place in them. */
  | { kind: 'judged'; checks: StoredCheck[]; at: number; settlement: SettleRequest }
  | ({ kind: 'end' } & RunEnd)
  /** The next free worker continues the run. */
  | { kind: 'release' }

export type EndTransition = Extract<Transition, { kind: 'end' }>

export const CONTINUE: Transition = { kind: 'continue' }

export const completedWith = (result: string): EndTransition => ({ kind: 'end', status: 'completed', result })
export const completedWithValue = (result: string, value: unknown): EndTransition => ({
  kind: 'end',
  status: 'completed',
  result,
  value,
})
export const failedWith = (result: string): Transition => ({ kind: 'end', status: 'failed', result })
