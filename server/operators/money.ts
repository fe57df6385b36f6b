import { grantCredits } from '../credits/grant'
import { creditsRefunded } from '../credits/metrics'
import { type Refund, refundCall } from '../credits/refund'
import { afterSlices } from '../credits/slices'
import { suspendAccount } from '../credits/suspension'
import { inTransaction } from '../db'
import { AppError } from '../errors'
import { getOwner } from './find-owner'
import { actAs, type Operator, recordAct } from './operator'
import type { GrantRequest, RefundRequest, SuspendRequest } from './shape'

/**
 * Adds credits to an owner's balance or, when negative, takes back what is free. Returns what is
 * available then. Throws `not_found`, and `conflict` when a correction exceeds what is available.
 */
export async function grantToOwner(operator: Operator, { ownerId, credits, note }: GrantRequest): Promise<number> {
  await getOwner(ownerId)
  const act = { ownerId, action: 'credits_granted', detail: { credits, note } } as const
  return Number(await actAs(operator, act, () => grantCredits(ownerId, BigInt(credits), note)))
}

/**
 * Refuses every call of an owner from now on, with a reason that callers read. Throws `not_found`.
 */
export async function suspendOwner(operator: Operator, { ownerId, reason }: SuspendRequest): Promise<void> {
  await getOwner(ownerId)
  await afterSlices(
    inTransaction(async (tx) => {
      if (!(await suspendAccount(tx, ownerId, reason))) throw new AppError('conflict', 'This owner has no account.')
      await recordAct(tx, operator, { ownerId, action: 'account_suspended', detail: { reason } })
    }),
  )
}

/** Lets a suspended owner spend again. Throws `not_found`. */
export async function resumeOwner(operator: Operator, ownerId: number): Promise<void> {
  await getOwner(ownerId)
  await inTransaction(async (tx) => {
    await suspendAccount(tx, ownerId, null)
    await recordAct(tx, operator, { ownerId, action: 'account_resumed' })
  })
}

/**
 * Gives back what a finished request was charged, or some of it, once. Throws `not_found` and
 * `conflict`, as `refundCall` does.
 */
export async function refundRequest(
  operator: Operator,
  { requestId, credits, note = 'refund' }: RefundRequest,
): Promise<Refund> {
  const refund = await inTransaction(async (tx) => {
    const given = await refundCall(tx, { requestId, credits: credits ?? null, note })
    const detail = { credits: given.credits, note }
    if (given.isNew)
      await recordAct(tx, operator, {
        ownerId: given.ownerId,
        action: 'request_refunded',
        subject: requestId,
        detail,
      })
    return given
  })
  if (refund.isNew) creditsRefunded.inc(refund.credits)
  return refund
}
