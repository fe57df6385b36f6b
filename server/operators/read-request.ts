import { getReceipt } from '../credits/receipts'
import { requestNotFound } from '../credits/refund'
import { isUuid } from '../kit/id'
import { findOwnerOfId, getOwner } from './find-owner'
import type { OperatorReceipt } from './views'

/** A finished request of any owner: its receipt, and whose it is. Throws `not_found`. */
export async function readRequest(requestId: string): Promise<OperatorReceipt> {
  const ownerId = isUuid(requestId) ? await findOwnerOfId(requestId) : null
  if (ownerId === null) throw requestNotFound()
  const receipt = await getReceipt(ownerId, requestId)
  const { id, email } = await getOwner(ownerId)
  return { owner: { id, email }, receipt }
}
