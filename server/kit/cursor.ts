/** Cursors of newest-first lists: opaque to callers, a position (time, id) to us. */
export type CursorPosition = { at: Date; id: string }

export const encodeCursor = ({ at, id }: CursorPosition): string =>
  Buffer.from(`${at.toISOString()} ${id}`).toString('base64url')

/** A time as we write it; other forms and years could be more than the database knows. */
const TIME = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** The position in a cursor, or null if the cursor is not valid. */
export function decodeCursor(cursor: string): CursorPosition | null {
  const [time = '', id = '', ...rest] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ')
  const at = new Date(time)
  const isOurs = TIME.test(time) && !Number.isNaN(at.getTime()) && id !== '' && rest.length === 0
  return isOurs ? { at, id } : null
}

/** The last row of a page in some order: what the list is sorted by, as text, and its id. */
export type SortedPosition = { value: string; id: string }

/** `order` names what a list is sorted by and which way. `values`: what it compares. */
export type SortedOrder = { order: string; values: 'number' | 'time' | 'text' }

const isInt64 = (text: string) => /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)

const IS_VALUE: Record<SortedOrder['values'], (text: string) => boolean> = {
  number: isInt64,
  time: (text) => TIME.test(text) && !Number.isNaN(Date.parse(text)),
  text: (text) => !text.includes('\0'),
}

/** A cursor of a list in some order. Names it, because a value means nothing in another. */
export const encodeSortedCursor = (order: string, { value, id }: SortedPosition): string =>
  Buffer.from(`${order} ${id} ${value}`).toString('base64url')

/** The position in a cursor of a list in this order, or null if it is not one. */
export function decodeSortedCursor(cursor: string, { order, values }: SortedOrder): SortedPosition | null {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  if (!text.startsWith(`${order} `)) return null
  const [id = '', ...rest] = text.slice(order.length + 1).split(' ')
  const value = rest.join(' ')
  return IS_VALUE[values](value) ? { value, id } : null
}

/** Cuts `limit + 1` fetched rows to a page and the cursor of the next one. */
export function paginate<T>(rows: T[], limit: number, positionOf: (row: T) => CursorPosition) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, nextCursor: rows.length > limit && last ? encodeCursor(positionOf(last)) : null }
}
