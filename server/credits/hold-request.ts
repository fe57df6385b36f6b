import type { CallChannel, Product } from './shape'

/** What became of a key's hash. Of an unknown one nothing else is known. */
export type AuthenticatedRow = {
  state: 'unknown' | 'revoked' | 'expired' | 'suspended' | 'limited' | 'owner_limited' | 'ok'
  key_id: number | null
  owner_id: number | null
  rpm: number | null
  remaining: number | null
  reset_s: number | null
  grants_version: number | null
  reason: string | null
}

/** A key that its call's hold lets in. `version`: of its grants that were checked. */
export type EnteringKey = { hash: Buffer; version: number }

/**
 * Who is charged: an owner, mostly through a key, sometimes under a conversation's spend limit.
 */
export type HoldPayer = {
  ownerId: number
  keyId: number | null
  jobId?: string
  /** Whom the owner serves with the call: the id of one of its customers. */
  customerId?: number
  /** The member who makes the call, or the run that it is of, at the dashboard. */
  personId?: number
  /** Says anew which customer that is, where those of the account have changed. */
  findCustomer?: () => Promise<number>
  /** Is asked while the call waits for credits that others hold: false, it waits no longer. */
  isWanted?: () => Promise<boolean>
}

/**
 * A caller's Idempotency-Key and the SHA-256 of the body it came with. `onUnstored` is called when
 * it becomes known that the answer is not stored. With `isWhole` it is stored whatever its size.
 */
export type Idempotency = { token: string; bodyHash: Buffer; onUnstored?: () => void; isWhole?: boolean }

export type ReserveRequest = HoldPayer & {
  /** The hold's id; repeating a request with it returns the first outcome. */
  id: string
  /** The most that the call can cost. */
  maxCredits: bigint
  /**
   * The smallest hold that is enough, for a call that can be made to fit; default: `maxCredits`.
   */
  minCredits?: bigint
  /** Credits that must remain free after the hold. */
  minRemaining?: bigint
  channel: CallChannel
  product: Product
  /** Tool or model id, for the receipt. */
  what: string
  idempotency?: Idempotency
  /** The windows of rates that have counted it: a hold that is asked for again counts once. */
  counted?: Set<string>
  /** Makes it a slice, for so many calls to come: see `slices.ts`. */
  calls?: number
  /** Raises the hold with this id, see `raiseHold`. */
  isRaise?: true
}
