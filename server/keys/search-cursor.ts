import { invalidCursor } from '../errors'
import { isNumberSort } from './search-query'
import type { KeyOrder, KeySort } from './shape'

/** The last row of a page: what it is sorted by, and its id. */
type LastKey = { value: string; id: number }

/** Opaque to callers. Names its order, because a value means nothing in another. */
export const encodeKeyCursor = (sort: KeySort, order: KeyOrder, { value, id }: LastKey): string =>
  Buffer.from(`${sort} ${order} ${id} ${value}`).toString('base64url')

const isInt64 = (text: string) => /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)

/** Where a page begins after; null: at the top. Throws `invalid_request`. */
export function decodeKeyCursor(sort: KeySort, order: KeyOrder, cursor: string | undefined): LastKey | null {
  if (cursor === undefined) return null
  const [itsSort, itsOrder, id = '', ...rest] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ')
  const value = rest.join(' ')
  const isId = /^[1-9]\d{0,9}$/.test(id) && Number(id) < 2 ** 31
  const isValue = isNumberSort(sort) ? isInt64(value) : !value.includes('\0')
  if (itsSort !== sort || itsOrder !== order || !isId || !isValue) throw invalidCursor()
  return { value, id: Number(id) }
}
