import type { ReserveRequest } from '../../credits/hold-request'
import { raiseHold } from '../../credits/reserve'
import { AppError } from '../../errors'
import type { WrittenText } from '../../models/completion'
import { affordableOutput, holdForTokens } from '../../models/prices'
import type { Model } from '../../models/shape'

/** Bytes of a token: fewer than of nearly any text, so what is written is never underestimated. */
const BYTES_PER_TOKEN = 3
/** Part of what is paid for after which more is reserved. */
const RAISE_AT = 0.7
const RAISE_BY = { enough: 1.25, wanted: 2 }
/** While the database is away the reply is not kept waiting for it at every piece. */
const RETRY_MS = 1_000

/** What a reply is reserved with, and how long it may get. */
export type ReplySize = { model: Model; promptTokens: number; maxOutput: number }

/** The hold of a reply that may get longer than was expected. */
export type ReplyHold = {
  /** Credits held so far. */
  held: () => bigint
  /** Output tokens that are paid for so far. */
  paidOutput: () => number
  /**
   * Counts what was written, and reserves more before the reply needs it. Null: the reply goes on;
   * else whether it does is known soon.
   */
  written: (texts: readonly WrittenText[]) => Promise<boolean> | null
  /**
   * Raises the hold to what a reply cost, as far as the limits allow; not while the database is
   * away.
   */
  cover: (credits: bigint) => Promise<void>
}

/**
 * Watches the hold of a streamed reply. `request`: what the hold was taken with; `held`: its
 * credits.
 */
export function replyHold(request: ReserveRequest, amount: bigint, size: ReplySize): ReplyHold {
  const { model, promptTokens, maxOutput } = size
  const cost = (outputTokens: number) => holdForTokens({ promptTokens, outputTokens, n: 1 }, model)
  const affordable = () => Math.min(maxOutput, affordableOutput(held, { promptTokens, n: 1 }, model))
  let held = amount
  let paid = affordable()
  let tokens = 0
  let isRefused = false
  let retryAt = 0

  /** Raises the hold; null: the database is away, and what is held stays. */
  const ask = (bounds: Pick<ReserveRequest, 'minCredits' | 'maxCredits' | 'minRemaining'>) =>
    raiseHold({ ...request, ...bounds }).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'unavailable') return null
      throw error
    })
  const raise = async (): Promise<boolean> => {
    const enough = Math.min(maxOutput, Math.ceil(paid * RAISE_BY.enough))
    const wanted = Math.min(maxOutput, paid * RAISE_BY.wanted)
    const raised = await ask({ minCredits: cost(enough), maxCredits: cost(wanted) })
    if (raised === null) {
      retryAt = performance.now() + RETRY_MS
      return tokens < paid
    }
    held = raised
    isRefused = held < cost(enough)
    paid = affordable()
    return true
  }
  return {
    held: () => held,
    paidOutput: () => paid,
    written: (texts) => {
      tokens += texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / BYTES_PER_TOKEN
      if (paid >= maxOutput || tokens < paid * RAISE_AT) return null
      if (tokens < paid && performance.now() < retryAt) return null
      return isRefused ? (tokens < paid ? null : Promise.resolve(false)) : raise()
    },
    cover: async (credits) => {
      if (credits <= held) return
      held = (await ask({ minCredits: held + 1n, maxCredits: credits, minRemaining: 0n })) ?? held
    },
  }
}
