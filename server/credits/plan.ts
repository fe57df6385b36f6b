import type { HoldPayer, ReserveRequest } from './hold-request'
import type { StoredResponse } from './reserve'
import type { Settlement, SettleRequest } from './settlement'
import type { AnswerKeeper } from './stored-response'

/** What a call asks the ledger for, without who pays: as its check found it. */
type HoldTerms = Omit<ReserveRequest, keyof HoldPayer | 'isRaise'>

declare const isHeld: unique symbol

/**
 * Credits that are held for a call. Only the ledger's answer makes one (`reserve.ts`), and what
 * asks a provider or a model takes one: nothing of a call happens before its hold.
 */
export type Held = {
  kind: 'held'
  amount: bigint
  /** What is stored of the answer, where there is an Idempotency-Key. */
  keep?: AnswerKeeper
  readonly [isHeld]: true
}

/** The stored answer of an earlier call with the same Idempotency-Key. Nothing was held. */
export type Replay = { kind: 'replay'; answer: StoredResponse }

/** A call that has run and is not charged yet: how its hold ends, and what follows from that. */
export type Unsettled<T> = {
  kind: 'performed'
  settlement: SettleRequest
  /** The outcome, once settled. Throws the call's error, with its charge where it has one. */
  outcome: (settled: Settlement) => T
}

/** What became of a run. A stream settles when it ends, which is after its answer has begun. */
export type Ran<T> = Unsettled<T> | { kind: 'streams'; outcome: T }

/**
 * A billed call as its check leaves it. Making one has no effect, so that it can be made again for
 * a key whose grants turn out to have changed.
 */
export type CallPlan<R> = {
  terms: HoldTerms
  /** Aborts where nobody wants the hold any more that was not asked for yet. */
  gone?: AbortSignal
  /** Does the call, once. */
  run: (held: Held) => Promise<R>
}
