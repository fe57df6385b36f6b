import { prisma, runStatement } from '../../db'
import type { UnknownRecord } from '../../kit/record'
import { statement } from '../../kit/statement'
import { existing, withItemIds } from '../../models/wires/responses/items'
import { uuidIn } from '../../models/wires/responses/response'
import { findTask } from '../../tools/tasks'
import { chainOf, type FoundRow, findKept, noResponse, readItems, rowsOfConversation } from './rows'

const CHARGED = statement({
  name: 'model_response_charge',
  sql: `SELECT r.charged, r.status = 'ok' AS "isOk" FROM receipt r WHERE r.id = $1 AND r.owner_id = $2`,
  params: ['uuid', 'int'],
  columns: { charged: 'bigint', isOk: 'boolean' },
})

const receiptOf = async (ownerId: number, id: string) => (await runStatement(CHARGED, [id, ownerId]))[0]

const LOST = {
  code: 'server_error',
  message: 'The process that made this response ended. Nothing was charged that is not in the receipt of its request.',
}

/** A call in the background whose row does not say that it ended. */
async function unfinished(ownerId: number, { id, response }: FoundRow): Promise<UnknownRecord> {
  const task = await findTask(ownerId, id)
  // What it answered was written before its charge.
  const isOk = task ? task.status === 'completed' : (await receiptOf(ownerId, id))?.isOk === true
  if (isOk) return response ?? {}
  if (task?.status === 'working') return { ...response, status: 'in_progress', output: [], usage: null }
  if (task?.status === 'cancelled') return { ...response, status: 'cancelled', output: [], usage: null }
  return { ...response, status: 'failed', error: LOST, output: [], usage: null }
}

/** A response as its row has it, with what its receipt says it was charged. */
export async function viewResponse(ownerId: number, row: FoundRow): Promise<UnknownRecord> {
  const response = row.isEnded ? (row.response ?? {}) : await unfinished(ownerId, row)
  const receipt = await receiptOf(ownerId, row.id)
  return receipt ? { ...response, service: { credits_charged: Number(receipt.charged) } } : response
}

/** The row of a response of an owner. Throws `not_found`. */
export async function findResponse(ownerId: number, id: string): Promise<FoundRow> {
  const row = await findKept(ownerId, uuidIn('resp', id), 'response')
  if (!row) throw noResponse()
  return row
}

/** A response of an owner as it is now. Throws `not_found`. */
export const getResponse = async (ownerId: number, id: string): Promise<UnknownRecord> =>
  viewResponse(ownerId, await findResponse(ownerId, id))

/** Deletes a response of an owner, and so stops one in progress. Throws `not_found`. */
export async function deleteResponse(ownerId: number, id: string): Promise<void> {
  const row = uuidIn('resp', id)
  const where = { ownerId, kind: 'response', expiresAt: { gt: new Date() } }
  const { count } =
    row === null ? { count: 0 } : await prisma().modelResponse.deleteMany({ where: { ...where, id: row } })
  if (count === 0) throw noResponse()
}

const MAX_ROWS = 1_000

/** The items that a response answers, its history first. Throws `not_found`. */
export async function inputItems(ownerId: number, id: string): Promise<UnknownRecord[]> {
  const row = await findResponse(ownerId, id)
  const before = row.conversationId
    ? (await rowsOfConversation(ownerId, row.conversationId, MAX_ROWS)).map((each) => each.id)
    : row.previousId
      ? (await chainOf(ownerId, row.previousId, MAX_ROWS)).rows.map((each) => each.id)
      : []
  const end = before.indexOf(row.id)
  const history = await readItems(ownerId, end < 0 ? before : before.slice(0, end))
  const items = history.flatMap((each) => [...withItemIds(each.input, each.id), ...each.output])
  return existing([...items, ...withItemIds(row.input, row.id)])
}
