import { executeStatement, prisma, runStatement } from '../../db'
import { AppError } from '../../errors'
import type { UnknownRecord } from '../../kit/record'
import { statement } from '../../kit/statement'
import { idsOf, withItemIds } from '../../models/wires/responses/items'
import { takeKeptBytes } from './kept-bytes'
import { openContent, type ResponseContent, sealContent } from './seal'

const DAY_MS = 86_400_000

/** What a row is, without its content. */
export type ResponseRow = {
  id: string
  kind: 'response' | 'conversation' | 'items'
  previousId?: string | null
  conversationId?: string | null
  isEnded?: boolean
}

/** Whose it is, and for how many days it is kept. */
export type Keeper = { ownerId: number; days: number }

const expiryIn = (days: number): Date => new Date(Date.now() + days * DAY_MS)

/** The ids that a row's items are found by. */
const itemIdsIn = (id: string, { input = [], response }: Partial<ResponseContent>): string[] => [
  ...new Set([...idsOf(withItemIds(input, id)), ...idsOf(response?.output)]),
]

/** Keeps a row with its content. Returns false where its account keeps too much already. */
export async function writeRow(
  { ownerId, days }: Keeper,
  row: ResponseRow,
  content: Partial<ResponseContent>,
): Promise<boolean> {
  const { body, bytes } = sealContent(ownerId, row.id, content)
  if (!(await takeKeptBytes(ownerId, bytes))) return false
  const itemIds = itemIdsIn(row.id, content)
  await prisma().modelResponse.create({ data: { ...row, ownerId, itemIds, expiresAt: expiryIn(days), body, bytes } })
  return true
}

/** Replaces the content of a row of an owner; false: it was deleted meanwhile. */
export async function rewriteRow(
  ownerId: number,
  id: string,
  { isEnded, ...content }: Partial<ResponseContent> & { isEnded?: boolean },
): Promise<boolean> {
  const data = { ...sealContent(ownerId, id, content), itemIds: itemIdsIn(id, content), ...(isEnded && { isEnded }) }
  return (await prisma().modelResponse.updateMany({ where: { id, ownerId }, data })).count > 0
}

const POSTPONE = statement({
  name: 'model_response_postpone',
  sql: `UPDATE model_response SET expires_at = $3 WHERE owner_id = $1
    AND (id = ANY ($2::uuid[]) OR id = $4 OR conversation_id = $4) AND expires_at < $3::timestamptz - interval '1 day'`,
  params: ['int', 'uuid[]', 'timestamptz', 'uuid'],
})

/** What was used as history is kept as long as what came of it, to a day. */
export async function postponeExpiry(
  { ownerId, days }: Keeper,
  used: { rows: readonly string[]; conversationId: string | null },
): Promise<void> {
  if (used.rows.length === 0 && used.conversationId === null) return
  await executeStatement(POSTPONE, [ownerId, used.rows, expiryIn(days), used.conversationId])
}

/** A row as it is read, with its content. */
export type FoundRow = ResponseContent & {
  id: string
  kind: string
  previousId: string | null
  conversationId: string | null
  createdAt: Date
  isEnded: boolean
  cancelledAt: Date | null
}

const notFound = (what: string, param?: string): AppError =>
  new AppError('not_found', `There is no such ${what} in this account: it was deleted, expired, or not kept.`, {
    ...(param !== undefined && { detail: { param } }),
  })

/** The 404 of a response or a conversation. `param`: the field that named it. */
export const noResponse = (param?: string): AppError => notFound('response', param)
export const noConversation = (param?: string): AppError => notFound('conversation', param)

/** A row of an owner that has not expired, or null. */
export async function findKept(
  ownerId: number,
  id: string | null,
  kind: ResponseRow['kind'],
): Promise<FoundRow | null> {
  if (id === null) return null
  const row = await prisma().modelResponse.findFirst({ where: { id, ownerId, kind, expiresAt: { gt: new Date() } } })
  const content = row && openContent(ownerId, row.id, row.body)
  return row && content ? { ...row, ...content } : null
}

const COLUMNS = { id: 'uuid', bytes: 'int' } as const

const CHAIN = statement({
  name: 'model_response_chain',
  sql: `WITH RECURSIVE chain AS (
      SELECT r.id, r.previous_id, r.bytes, 1 AS n FROM model_response r
        WHERE r.id = $2 AND r.owner_id = $1 AND r.kind = 'response' AND r.expires_at > now()
      UNION ALL SELECT r.id, r.previous_id, r.bytes, c.n + 1 FROM chain c JOIN model_response r ON r.id = c.previous_id
        WHERE r.owner_id = $1 AND r.expires_at > now() AND c.n < $3::int
    ) SELECT c.id, c.bytes, c.previous_id FROM chain c ORDER BY c.n DESC`,
  params: ['int', 'uuid', 'int'],
  columns: { ...COLUMNS, previous_id: 'uuid?' },
})
const OF_CONVERSATION = statement({
  name: 'model_response_conversation',
  sql: `SELECT r.id, r.bytes FROM model_response r WHERE r.owner_id = $1 AND r.conversation_id = $2
    ORDER BY r.created_at, r.id LIMIT $3::int`,
  params: ['int', 'uuid', 'int'],
  columns: COLUMNS,
})
const OF_ITEMS = statement({
  name: 'model_response_items',
  sql: `SELECT r.id, r.bytes FROM model_response r WHERE r.owner_id = $1 AND r.item_ids && $2::text[]
    AND r.expires_at > now() ORDER BY r.id LIMIT $3::int`,
  params: ['int', 'text[]', 'int'],
  columns: COLUMNS,
})

/** A row before it is read, and its size. */
export type RowSize = { id: string; bytes: number }

/**
 * A response and those before it, the first one first; of more than `limit`, the newest.
 * `isBroken`: one before them is gone.
 */
export async function chainOf(
  ownerId: number,
  id: string,
  limit: number,
): Promise<{ rows: RowSize[]; isBroken: boolean }> {
  const rows = await runStatement(CHAIN, [ownerId, id, limit])
  return { rows, isBroken: rows[0]?.previous_id != null }
}

/** The rows of a conversation, in their order. */
export const rowsOfConversation = (ownerId: number, id: string, limit: number): Promise<RowSize[]> =>
  runStatement(OF_CONVERSATION, [ownerId, id, limit])

/** The rows that have one of these items. */
export const rowsWithItems = (ownerId: number, ids: readonly string[], limit: number): Promise<RowSize[]> =>
  runStatement(OF_ITEMS, [ownerId, ids, limit])

/** The items of a row: what its request brought, and what was answered. */
export type RowItems = { id: string; input: UnknownRecord[]; output: UnknownRecord[] }

/** The contents of rows of an owner, in the order of `ids`. */
export async function readItems(ownerId: number, ids: readonly string[]): Promise<RowItems[]> {
  const rows = await prisma().modelResponse.findMany({
    where: { ownerId, id: { in: [...ids] } },
    select: { id: true, body: true },
  })
  const bodies = new Map(rows.map(({ id, body }) => [id, body]))
  return ids.flatMap((id): RowItems[] => {
    const body = bodies.get(id)
    const content = body && openContent(ownerId, id, body)
    if (!content) return []
    const output = content.response?.output
    return [{ id, input: content.input, output: Array.isArray(output) ? output : [] }]
  })
}
