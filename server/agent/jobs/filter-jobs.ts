import type { JobFilter } from './shape'

/** The types of `filterParams`, which are $1 to $12 of a statement. */
export const FILTER_PARAMS = [
  'int',
  'text',
  'text',
  'int',
  'text',
  'text',
  'date',
  'date',
  'text',
  'uuid',
  'uuid',
  'text',
] as const

/** The jobs of owner $1 with a webhook that was given up in the last seven days. */
const UNDELIVERED_JOBS = `SELECT d.job_id FROM webhook_delivery d
    WHERE d.owner_id = $1 AND d.status = 'failed' AND d.created_at > now() - interval '7 days'`

/**
 * The condition of a filter on `job j`. Constants once they are planned: no value is compared for a
 * filter that is not set.
 */
export const FILTER_SQL = `j.owner_id = $1
  AND ($2::text IS NULL OR j.words @@ agent_search($1, $2) OR j.id BETWEEN $10 AND $11)
  AND ($3::text IS NULL OR j.status = $3)
  AND ($4::int IS NULL OR j.key_id = $4)
  AND ($5::text IS NULL OR j.mode = $5)
  AND ($6::text IS NULL OR j.origin = $6)
  AND ($7::date IS NULL OR j.created_at >= $7::date::timestamp AT TIME ZONE $9)
  AND ($8::date IS NULL OR j.created_at < ($8::date + 1)::timestamp AT TIME ZONE $9)
  AND ($12::text IS NULL OR j.id IN (${UNDELIVERED_JOBS}))`

/** What a part of an id has at least, so that it is not taken for a word. */
const MIN_ID_DIGITS = 8
const ID_DIGITS = 32

const toUuid = (digits: string) =>
  [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join('-')

/** The first and the last id that begin as a text does; null for another text. */
function idsLike(text: string): [first: string, last: string] | null {
  const digits = text.replaceAll('-', '').toLowerCase()
  if (digits.length < MIN_ID_DIGITS || digits.length > ID_DIGITS || !/^[0-9a-f]+$/.test(digits)) return null
  return [toUuid(digits.padEnd(ID_DIGITS, '0')), toUuid(digits.padEnd(ID_DIGITS, 'f'))]
}

/** A filter as parameters of a statement with FILTER_SQL. Days are those of `timeZone`. */
export function filterParams(ownerId: number, { q, ...filter }: JobFilter, timeZone: string) {
  const ids = q ? idsLike(q) : null
  return [
    ownerId,
    q || null,
    filter.status ?? null,
    filter.keyId ?? null,
    filter.mode ?? null,
    filter.origin ?? null,
    filter.from ?? null,
    filter.to ?? null,
    timeZone,
    ids?.[0] ?? null,
    ids?.[1] ?? null,
    filter.webhook ?? null,
  ] as const
}
