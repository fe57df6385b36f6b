import { runRead } from '../db'
import { AppError, readCursor } from '../errors'
import { paginate } from '../kit/cursor'
import { isUuid } from '../kit/id'
import type { ReadOptions } from '../kit/pg-read'
import type { ReceiptFilter } from './receipt-filter'
import { RECEIPT_BY_ID, type ReceiptRow, receiptQuery } from './receipt-query'
import { CallReceipt, ReceiptDetail, type ReceiptList } from './shape'

function viewReceipt({ held, charged, detail: stored, startedAt, at, ...call }: ReceiptRow): CallReceipt {
  const detail = ReceiptDetail.parse(stored ?? {})
  const released = Math.max(0, Number(held) - Number(charged) - (detail.refunded ?? 0))
  return CallReceipt.parse({
    ...call,
    startedAt: startedAt.toISOString(),
    at: at.toISOString(),
    credits: { held: Number(held), charged: Number(charged), released },
    detail,
  })
}

/** An owner's finished calls, newest first. Throws `invalid_request` for an invalid cursor. */
export async function listReceipts(
  ownerId: number,
  { limit, cursor, ...filter }: ReceiptFilter & { limit: number; cursor?: string },
  options?: ReadOptions,
): Promise<ReceiptList> {
  const after = readCursor(cursor, isUuid)
  const { statement, values } = receiptQuery({ ownerId, filter, after, max: limit + 1 })
  const page = paginate(await runRead(statement, values, options), limit, ({ at, requestId: id }) => ({ at, id }))
  return { rows: page.rows.map(viewReceipt), nextCursor: page.nextCursor }
}

/**
 * One call's receipt. Throws `not_found`, also for another owner's, and while the call is in
 * progress.
 */
export async function getReceipt(ownerId: number, requestId: string, options?: ReadOptions): Promise<CallReceipt> {
  const [row] = isUuid(requestId) ? await runRead(RECEIPT_BY_ID, [requestId, ownerId], options) : []
  if (!row) throw new AppError('not_found', 'There is no receipt of such a request.')
  return viewReceipt(row)
}
