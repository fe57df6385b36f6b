import { readPrisma, runRead } from '../db'
import { readSortedCursor } from '../errors'
import { encodeSortedCursor } from '../kit/cursor'
import type { ReadOptions } from '../kit/pg-read'
import { readLastUse } from './last-use'
import { isNumberSort, KEY_TAGS, KEY_TOTALS, keySearchStatement } from './search-query'
import { type FoundKeys, KeyId, type KeySearch } from './shape'
import { keyRelations, viewKey } from './view'

/** The words of a search. A secret's end may be typed as pages show it, `tg_…abcd`. */
const wordsOf = (q: string): string[] =>
  q
    .replaceAll('\0', '')
    .split(/\s/)
    .map((word) => word.replace(/^tgm?_…/, ''))
    .filter((word) => word !== '')
    .slice(0, 10)

const isKeyId = (id: string): boolean => KeyId.safeParse({ id: Number(id) }).success

/**
 * An owner's keys that match, in the order asked for. A page begins behind the last row of the page
 * before, also when that row has changed or gone. Throws `invalid_request` for an invalid cursor.
 */
export async function searchKeys(
  ownerId: number,
  { q, state, tag, may, sort, order, limit, cursor }: KeySearch,
  options?: ReadOptions,
): Promise<FoundKeys> {
  const by = `${sort} ${order}`
  const values = isNumberSort(sort) ? 'number' : 'text'
  const after = readSortedCursor(cursor, { order: by, values, isId: isKeyId })
  const matching = [ownerId, wordsOf(q), state ?? null, tag?.replaceAll('\0', '') ?? null, may ?? null] as const
  const [found, totals] = await Promise.all([
    runRead(
      keySearchStatement(sort, order),
      [...matching, limit + 1, after?.value ?? null, after ? Number(after.id) : null],
      options,
    ),
    runRead(KEY_TOTALS, matching, options),
  ])
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const ids = page.map(({ id }) => id)
  const [rows, uses] = await Promise.all([
    readPrisma().key.findMany({ where: { ownerId, id: { in: ids } }, include: keyRelations }),
    readLastUse(ids),
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return {
    rows: ids.flatMap((id) => {
      const row = byId.get(id)
      return row ? [viewKey(row, { lastUsedAt: uses.get(id) })] : []
    }),
    nextCursor:
      found.length > limit && last ? encodeSortedCursor(by, { value: last.value, id: String(last.id) }) : null,
    totals: {
      count: totals[0]?.count ?? 0,
      spent: Number(totals[0]?.spent ?? 0),
      held: Number(totals[0]?.held ?? 0),
    },
  }
}

/** The tags of an owner's keys with the number of keys, most used first; at most 200. */
export const listKeyTags = (ownerId: number, options?: ReadOptions) => runRead(KEY_TAGS, [ownerId], options)

/** Names of an owner's keys by id; those of other owners are left out. */
export async function readKeyNames(ownerId: number, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await readPrisma().key.findMany({
    where: { ownerId, id: { in: [...new Set(ids)] } },
    select: { id: true, name: true },
  })
  return new Map(rows.map(({ id, name }) => [id, name]))
}
