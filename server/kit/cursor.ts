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

/** Cuts `limit + 1` fetched rows to a page and the cursor of the next one. */
export function paginate<T>(rows: T[], limit: number, positionOf: (row: T) => CursorPosition) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, nextCursor: rows.length > limit && last ? encodeCursor(positionOf(last)) : null }
}
