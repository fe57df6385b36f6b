import { prisma } from '../../db'
import { AppError } from '../../errors'
import { uuidv7 } from '../../kit/id'
import type { UnknownRecord } from '../../kit/record'
import { existing, withItemIds, withoutItem } from '../../models/wires/responses/items'
import { idFor, uuidIn } from '../../models/wires/responses/response'
import {
  findKept,
  type Keeper,
  noConversation,
  postponeExpiry,
  type RowItems,
  readItems,
  rewriteRow,
  rowsOfConversation,
  writeRow,
} from './rows'

/** Rows of one conversation that are read: a call refuses longer ones. */
const MAX_ROWS = 1_000

/** A conversation as its API has it. */
export type ResponseConversation = { id: string; object: 'conversation'; created_at: number; metadata: UnknownRecord }

const onWire = (id: string, createdAt: Date, metadata: UnknownRecord): ResponseConversation => ({
  id: idFor('conv', id),
  object: 'conversation',
  created_at: Math.floor(createdAt.getTime() / 1_000),
  metadata,
})

async function find(ownerId: number, id: string) {
  const row = await findKept(ownerId, uuidIn('conv', id), 'conversation')
  if (!row) throw noConversation()
  return row
}

async function write(keeper: Keeper, row: Parameters<typeof writeRow>[1], content: Parameters<typeof writeRow>[2]) {
  if (await writeRow(keeper, row, content)) return
  throw new AppError('conflict', 'This account keeps 4 GiB of responses. Delete some, or wait until they expire.')
}

/** Creates a conversation with items. Throws `conflict` where the account keeps too much. */
export async function createConversation(
  keeper: Keeper,
  { items, metadata }: { items: UnknownRecord[]; metadata: UnknownRecord },
): Promise<ResponseConversation> {
  const id = uuidv7()
  await write(keeper, { id, kind: 'conversation' }, { metadata })
  if (items.length > 0) await write(keeper, { id: uuidv7(), kind: 'items', conversationId: id }, { input: items })
  return onWire(id, new Date(), metadata)
}

/** A conversation of an owner. Throws `not_found`. */
export async function viewConversation(ownerId: number, id: string): Promise<ResponseConversation> {
  const { id: row, createdAt, metadata } = await find(ownerId, id)
  return onWire(row, createdAt, metadata)
}

/** Replaces the metadata of a conversation. Throws `not_found`. */
export async function changeConversation(
  ownerId: number,
  id: string,
  metadata: UnknownRecord,
): Promise<ResponseConversation> {
  const row = await find(ownerId, id)
  await rewriteRow(ownerId, row.id, { metadata })
  return onWire(row.id, row.createdAt, metadata)
}

/** Deletes a conversation; responses in it stay with their items. Throws `not_found`. */
export async function deleteConversation(ownerId: number, id: string): Promise<void> {
  const row = await find(ownerId, id)
  await prisma().modelResponse.deleteMany({ where: { ownerId, conversationId: row.id, kind: 'items' } })
  await prisma().modelResponse.updateMany({
    where: { ownerId, conversationId: row.id },
    data: { conversationId: null },
  })
  await prisma().modelResponse.deleteMany({ where: { ownerId, id: row.id } })
}

/** Adds items to a conversation; returns them with ids. Throws `not_found` and `conflict`. */
export async function addItems(keeper: Keeper, id: string, input: UnknownRecord[]): Promise<UnknownRecord[]> {
  const conversation = await find(keeper.ownerId, id)
  const row = uuidv7()
  await write(keeper, { id: row, kind: 'items', conversationId: conversation.id }, { input })
  await postponeExpiry(keeper, { rows: [conversation.id], conversationId: conversation.id })
  return withItemIds(input, row)
}

async function rowsOf(ownerId: number, id: string): Promise<RowItems[]> {
  const conversation = await find(ownerId, id)
  const rows = await rowsOfConversation(ownerId, conversation.id, MAX_ROWS)
  return readItems(
    ownerId,
    rows.map((row) => row.id),
  )
}

/** The items of a conversation, the first one first. Throws `not_found`. */
export async function conversationItemsOf(ownerId: number, id: string): Promise<UnknownRecord[]> {
  const rows = await rowsOf(ownerId, id)
  return existing(rows.flatMap((row) => [...withItemIds(row.input, row.id), ...row.output]))
}

/** Deletes an item of a conversation, and with it that of its response. Throws `not_found`. */
export async function deleteItem(ownerId: number, id: string, itemId: string): Promise<ResponseConversation> {
  for (const row of await rowsOf(ownerId, id)) {
    const input = withoutItem(row.input, withItemIds(row.input, row.id), itemId)
    const output = withoutItem(row.output, row.output, itemId)
    if (!input && !output) continue
    const { response } = (await findKept(ownerId, row.id, 'response')) ?? { response: null }
    const left = response && { ...response, output: existing(output ?? row.output) }
    await rewriteRow(ownerId, row.id, { input: input ?? row.input, response: left })
    return viewConversation(ownerId, id)
  }
  throw new AppError('not_found', 'There is no such item in this conversation.')
}
