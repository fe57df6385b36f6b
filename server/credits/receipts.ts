import type { Prisma } from '../../prisma/generated/client'
import { prisma } from '../db'
import { AppError, invalidRequest } from '../errors'
import { isUuid } from '../kit/id'
import { cutPage, decodeCursor } from '../kit/page'
import {
  Door,
  Product,
  type Receipt,
  ReceiptDetail,
  type ReceiptList,
  ReceiptStatus,
  type UsageFilter,
  type UsagePage,
} from './shape'

type Row = Prisma.ReceiptGetPayload<object>

const DAY_MS = 86_400_000

/** The where of a filter: always names its owner. */
function whereOf(ownerId: number, { keyId, what, status, product, from, to }: UsageFilter): Prisma.ReceiptWhereInput {
  return {
    ownerId,
    keyId,
    what,
    status,
    product,
    at: {
      ...(from && { gte: new Date(from) }),
      ...(to && { lt: new Date(new Date(to).getTime() + DAY_MS) }),
    },
  }
}

const viewReceipt = (row: Row, keyNames: ReadonlyMap<number, string>): Receipt => ({
  requestId: row.id,
  at: row.at.toISOString(),
  startedAt: row.startedAt.toISOString(),
  keyId: row.keyId,
  keyName: row.keyId === null ? null : (keyNames.get(row.keyId) ?? null),
  door: Door.parse(row.door),
  product: Product.parse(row.product),
  what: row.what,
  status: ReceiptStatus.parse(row.status),
  credits: {
    held: Number(row.held),
    charged: Number(row.charged),
    released: Math.max(0, Number(row.held - row.charged)),
  },
  detail: ReceiptDetail.parse(row.detail ?? {}),
})

async function keyNamesOf(ownerId: number, rows: readonly Row[]): Promise<Map<number, string>> {
  const ids = [...new Set(rows.flatMap((r) => (r.keyId === null ? [] : [r.keyId])))]
  if (ids.length === 0) return new Map()
  const keys = await prisma().key.findMany({ where: { ownerId, id: { in: ids } }, select: { id: true, name: true } })
  return new Map(keys.map((k) => [k.id, k.name]))
}

/** An owner's finished calls, newest first. Throws `invalid_request` for a cursor that is not one of ours. */
export async function listReceipts(ownerId: number, { limit, cursor, ...filter }: UsagePage): Promise<ReceiptList> {
  const after = cursor === undefined ? null : decodeCursor(cursor)
  if (cursor !== undefined && !(after && isUuid(after.id))) {
    throw invalidRequest([{ path: ['cursor'], message: 'is not one of ours' }])
  }
  const older = after && { OR: [{ at: { lt: after.at } }, { at: after.at, id: { lt: after.id } }] }
  const rows = await prisma().receipt.findMany({
    where: { AND: [whereOf(ownerId, filter), ...(older ? [{ at: { lte: after.at } }, older] : [])] },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  const page = cutPage(rows, limit, ({ at, id }) => ({ at, id }))
  const names = await keyNamesOf(ownerId, page.rows)
  return { rows: page.rows.map((row) => viewReceipt(row, names)), nextCursor: page.nextCursor }
}

/** One call's receipt. Throws `not_found`, also for another owner's, and while the call is under way. */
export async function getReceipt(ownerId: number, requestId: string): Promise<Receipt> {
  const row = isUuid(requestId) ? await prisma().receipt.findFirst({ where: { id: requestId, ownerId } }) : null
  if (!row) throw new AppError('not_found', 'There is no receipt of such a request.')
  return viewReceipt(row, await keyNamesOf(ownerId, [row]))
}
