import { runRead } from '../db'
import { AppError, readCursor } from '../errors'
import { paginate } from '../kit/cursor'
import { isUuid } from '../kit/id'
import type { ReadOptions } from '../kit/pg-read'
import type { ReceiptFilter } from './receipt-filter'
import { RECEIPT_BY_ID, type ReceiptRow, receiptQuery } from './receipt-query'
import { CallChannel, type CallReceipt, Product, ReceiptDetail, type ReceiptList, ReceiptStatus } from './shape'

function viewReceipt(row: ReceiptRow): CallReceipt {
  const detail = ReceiptDetail.parse(row.detail ?? {})
  return {
    requestId: row.id,
    at: row.at.toISOString(),
    startedAt: row.started_at.toISOString(),
    keyId: row.key_id,
    keyName: row.key_name,
    jobId: row.job_id,
    channel: CallChannel.parse(row.channel),
    product: Product.parse(row.product),
    what: row.what,
    status: ReceiptStatus.parse(row.status),
    credits: {
      held: Number(row.held),
      charged: Number(row.charged),
      released: Math.max(0, Number(row.held) - Number(row.charged) - (detail.refunded ?? 0)),
    },
    detail,
  }
}

/** An owner's finished calls, newest first. Throws `invalid_request` for an invalid cursor. */
export async function listReceipts(
  ownerId: number,
  { limit, cursor, ...filter }: ReceiptFilter & { limit: number; cursor?: string },
  options?: ReadOptions,
): Promise<ReceiptList> {
  const after = readCursor(cursor, isUuid)
  const { statement, values } = receiptQuery({ ownerId, filter, after, max: limit + 1 })
  const page = paginate(await runRead(statement, values, options), limit, ({ at, id }) => ({ at, id }))
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
