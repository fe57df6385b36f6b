import { AppError, invalidRequest } from '../../errors'
import type { UnknownRecord } from '../../kit/record'
import { existing, referenceIn, withItemIds } from '../../models/wires/responses/items'
import type { ResponsesRequest } from '../../models/wires/responses/request'
import { uuidIn } from '../../models/wires/responses/response'
import {
  chainOf,
  findKept,
  noConversation,
  noResponse,
  type RowItems,
  type RowSize,
  readItems,
  rowsOfConversation,
  rowsWithItems,
} from './rows'

/** Rows and items that one request may refer to, and their size: that of the largest request. */
const MAX_ROWS = 1_000
const MAX_ITEMS = 10_000
const MAX_BYTES = 20 * 1024 * 1024

/** What a request refers to. */
export type History = {
  /** The items before its own. */
  items: UnknownRecord[]
  /** Its own input, with the items in place of what referred to them; null: it refers to none. */
  input: UnknownRecord[] | null
  /** The rows that were read. */
  rows: string[]
  previousId: string | null
  conversationId: string | null
}

/** The id of the conversation that a request names, or null. */
export const conversationNamed = ({ conversation }: ResponsesRequest): string | null =>
  conversation == null ? null : typeof conversation === 'string' ? conversation : conversation.id

/** The ids of items that a request refers to. */
const referencesOf = ({ input }: ResponsesRequest): string[] =>
  typeof input === 'string' ? [] : input.map(referenceIn).filter((id) => id !== null)

const tooLong = (param: string, what: string): AppError =>
  invalidRequest([
    {
      path: [param],
      message: `refers to more than ${what}. Begin again with a summary of what came before, sent in input`,
    },
  ])

function checkSize(rows: readonly RowSize[], param: string): string[] {
  if (rows.length > MAX_ROWS) throw tooLong(param, `${MAX_ROWS.toLocaleString('en')} responses`)
  if (rows.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_BYTES) throw tooLong(param, '20 MiB')
  return rows.map(({ id }) => id)
}

async function chainItems(ownerId: number, named: string): Promise<RowItems[]> {
  const param = 'previous_response_id'
  const id = uuidIn('resp', named)
  const { rows, isBroken } = id === null ? { rows: [], isBroken: false } : await chainOf(ownerId, id, MAX_ROWS + 1)
  if (rows.length === 0) throw noResponse(param)
  const ids = checkSize(rows, param)
  if (isBroken)
    throw new AppError('not_found', 'A response before this one was deleted or has expired: send its items in input.', {
      detail: { param },
    })
  return readItems(ownerId, ids)
}

async function conversationItems(ownerId: number, named: string): Promise<RowItems[]> {
  const id = uuidIn('conv', named)
  const found = await findKept(ownerId, id, 'conversation')
  if (!found) throw noConversation('conversation')
  const rows = await rowsOfConversation(ownerId, found.id, MAX_ROWS + 1)
  return readItems(ownerId, checkSize(rows, 'conversation'))
}

/** An input whose references are replaced by what they refer to. Throws `not_found`. */
async function resolveReferences(
  ownerId: number,
  { input }: ResponsesRequest,
  references: readonly string[],
): Promise<{ input: UnknownRecord[] | null; rows: string[] }> {
  if (references.length === 0 || typeof input === 'string') return { input: null, rows: [] }
  const rows = checkSize(await rowsWithItems(ownerId, references, MAX_ROWS + 1), 'input')
  const known = new Map<unknown, UnknownRecord>()
  for (const row of await readItems(ownerId, rows)) {
    const named = withItemIds(row.input, row.id)
    for (const [i, item] of row.input.entries()) known.set(named[i]?.id, item)
    for (const item of row.output) known.set(item.id, item)
  }
  const resolved = input.map((item, i): UnknownRecord => {
    const id = referenceIn(item)
    if (id === null) return item
    const found = known.get(id)
    if (found) return found
    throw new AppError('not_found', 'There is no such item in this account: it was deleted, expired, or not kept.', {
      detail: { param: `input[${i}]` },
    })
  })
  return { input: resolved, rows }
}

/** True for a request that refers to something kept. */
export const refersToKept = (request: ResponsesRequest): boolean =>
  request.previous_response_id != null || request.conversation != null || referencesOf(request).length > 0

/**
 * What a request refers to, of its owner. Throws `not_found`, and `invalid_request` where it is
 * more than one request may have.
 */
export async function readHistory(ownerId: number, request: ResponsesRequest): Promise<History> {
  const { previous_response_id: previous } = request
  const conversation = conversationNamed(request)
  const before =
    previous != null
      ? await chainItems(ownerId, previous)
      : conversation === null
        ? []
        : await conversationItems(ownerId, conversation)
  const { input, rows } = await resolveReferences(ownerId, request, referencesOf(request))
  const items = existing(before.flatMap((row) => [...row.input, ...row.output]))
  if (items.length + (input?.length ?? 0) > MAX_ITEMS)
    throw tooLong(previous == null ? 'conversation' : 'previous_response_id', '10,000 items')
  return {
    items,
    input,
    rows: [...before.map(({ id }) => id), ...rows],
    previousId: previous == null ? null : uuidIn('resp', previous),
    conversationId: conversation === null ? null : uuidIn('conv', conversation),
  }
}
