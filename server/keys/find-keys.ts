import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { likePatterns } from '../kit/search-words'
import { statement } from '../kit/statement'

const FIND = statement({
  name: 'keys_find',
  sql: `SELECT k.id, k.name, k.revoked_at FROM "key" k
    WHERE k.owner_id = $1 AND lower(k.name) LIKE ALL ($2::text[])
    ORDER BY k.revoked_at IS NOT NULL, k.created_at DESC LIMIT $3::int`,
  params: ['int', 'text[]', 'int'],
  columns: { id: 'int', name: 'text', revoked_at: 'timestamptz?' },
})

export type FoundKey = { id: number; name: string; isRevoked: boolean }

/** An owner's keys whose name has all of some words in lower case; usable ones first. */
export async function findKeys(
  ownerId: number,
  { words, max }: { words: readonly string[]; max: number },
  options?: ReadOptions,
): Promise<FoundKey[]> {
  const rows = await runRead(FIND, [ownerId, likePatterns(words), max], options)
  return rows.map(({ id, name, revoked_at: revokedAt }) => ({ id, name, isRevoked: revokedAt !== null }))
}
