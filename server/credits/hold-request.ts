import type { CallChannel, Product } from './shape'

/** Who is charged: an owner, mostly through a key, sometimes under a conversation's spend limit. */
export type HoldPayer = { ownerId: number; keyId: number | null; jobId?: string }

/** A caller's Idempotency-Key and the SHA-256 of the body it came with. */
export type Idempotency = { token: string; bodyHash: Buffer }

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
}
