import { statement, statementFamily } from '../kit/statement'
import type { KeyOrder, KeySort } from './shape'

/** What a key may still spend: the least that its budgets leave, and more than any without one. */
const REMAINING = `coalesce(least(k.budget - k.spent - k.held,
      k.period_budget - CASE WHEN k.period_end > now() THEN k.period_spent + k.period_held ELSE 0 END), 9e18::bigint)`

/** What each order compares: with the key's id it is different for every row. */
const SORTED_BY: Record<KeySort, { value: string; type: 'bigint' | 'text' }> = {
  created: { value: 'k.id::bigint', type: 'bigint' },
  name: { value: 'lower(k.name)', type: 'text' },
  used: { value: 'coalesce((extract(epoch FROM u.used_at) * 1000)::bigint, 0)', type: 'bigint' },
  spent: { value: 'k.spent', type: 'bigint' },
  remaining: { value: REMAINING, type: 'bigint' },
}

export const isNumberSort = (sort: KeySort): boolean => SORTED_BY[sort].type === 'bigint'

/** As `viewKey` decides it. */
const STATE = `CASE WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN k.expires_at <= now() THEN 'expired'
      WHEN k.spent >= k.budget THEN 'spent' ELSE 'active' END`

/**
 * The keys of owner $1 in which each of the words $2 is part of the name, part of a tag or
 * the end of a secret; in the state $3, with the tag $4, with the scope $5. The database folds the
 * words as it folds the names: where its locale is C, letters beyond ASCII are as typed.
 */
const MATCHING = `k.owner_id = $1
    AND NOT EXISTS (SELECT 1 FROM (SELECT lower(typed) AS word FROM unnest($2::text[]) AS given (typed)) w WHERE strpos(lower(k.name), w.word) = 0
      AND NOT EXISTS (SELECT 1 FROM unnest(k.tags) AS t (tag) WHERE strpos(lower(t.tag), w.word) > 0)
      AND NOT (length(w.word) = 4 AND EXISTS (
        SELECT 1 FROM key_secret s WHERE s.key_id = k.id AND lower(s.last4) = w.word
          AND (s.expires_at IS NULL OR s.expires_at > now()))))
    AND ($3::text IS NULL OR ${STATE} = $3::text)
    AND ($4::text IS NULL OR $4::text = ANY (k.tags))
    AND ($5::text IS NULL OR CASE $5::text WHEN 'agent' THEN k.agent ELSE k.llm END)`

/** Ids of at most $6 keys after the one whose value is $7 and whose id is $8. */
function pageText(sort: KeySort, order: KeyOrder): string {
  const { value, type } = SORTED_BY[sort]
  const [after, direction] = order === 'asc' ? ['>', 'ASC'] : ['<', 'DESC']
  return `SELECT k.id, (${value})::text AS value
    FROM "key" k LEFT JOIN key_use u ON u.key_id = k.id
    WHERE ${MATCHING} AND ($8::int IS NULL OR (${value}, k.id) ${after} ($7::text::${type}, $8::int))
    ORDER BY ${value} ${direction}, k.id ${direction} LIMIT $6::int`
}

const keySearch = statementFamily({
  name: 'key_search',
  columns: { id: 'int', value: 'text' },
  samples: () =>
    (Object.keys(SORTED_BY) as KeySort[]).flatMap((sort) => [pageText(sort, 'asc'), pageText(sort, 'desc')]),
})

/** The statement of a page of keys in an order. */
export const keySearchStatement = (sort: KeySort, order: KeyOrder) => keySearch(pageText(sort, order))

export const KEY_TOTALS = statement({
  name: 'key_totals',
  sql: `SELECT count(*)::int AS count, coalesce(sum(k.spent), 0)::bigint AS spent, coalesce(sum(k.held), 0)::bigint AS held
    FROM "key" k WHERE ${MATCHING}`,
  params: ['int', 'text[]', 'text', 'text', 'text'],
  columns: { count: 'int', spent: 'bigint', held: 'bigint' },
})

/** The owner's tags, most used first. */
export const KEY_TAGS = statement({
  name: 'key_tags',
  sql: `SELECT t.tag, count(*)::int AS keys FROM "key" k, unnest(k.tags) AS t (tag)
    WHERE k.owner_id = $1 GROUP BY t.tag ORDER BY count(*) DESC, t.tag LIMIT 200`,
  params: ['int'],
  columns: { tag: 'text', keys: 'int' },
})
