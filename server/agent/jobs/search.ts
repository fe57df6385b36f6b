import { getTimeZone } from '../../accounts/time-zone'
import { runRead } from '../../db'
import { invalidCursor, readCursor } from '../../errors'
import { encodeCursor } from '../../kit/cursor'
import { isUuid } from '../../kit/id'
import { statement } from '../../kit/statement'
import { FILTER_PARAMS, FILTER_SQL, filterParams } from './filter-jobs'
import { JOB_ROW_COLUMNS, selectJobRows, viewJobRow } from './job-rows'
import type { JobRows, JobSort, SearchJobs } from './shape'

/** The column of each order, and the type of its values. */
const SORTS = {
  created: { column: 'created_at', type: 'timestamptz' },
  credits: { column: 'credits', type: 'bigint' },
  duration: { column: 'worked_ms', type: 'bigint' },
} as const satisfies Record<JobSort, object>

/** A page of a list: after a position, which is a value of the sorted column and an id. */
const pageStatement = <S extends JobSort>(sort: S, order: 'asc' | 'desc') => {
  const { column, type } = SORTS[sort]
  return statement({
    name: `agent_find_${sort}_${order}`,
    sql: selectJobRows(
      `SELECT j.* FROM job j WHERE ${FILTER_SQL}
        AND ($13::${type} IS NULL OR (j.${column}, j.id) ${order === 'asc' ? '>' : '<'} ($13, $14::uuid))
        ORDER BY j.${column} ${order}, j.id ${order} LIMIT $15::int`,
      `j.${column} ${order}, j.id ${order}`,
    ),
    params: [...FILTER_PARAMS, type, 'uuid', 'int'],
    columns: JOB_ROW_COLUMNS,
  })
}

const PAGES = {
  created: { asc: pageStatement('created', 'asc'), desc: pageStatement('created', 'desc') },
  credits: { asc: pageStatement('credits', 'asc'), desc: pageStatement('credits', 'desc') },
  duration: { asc: pageStatement('duration', 'asc'), desc: pageStatement('duration', 'desc') },
}

/** Cursors of the other orders: a number and an id. */
const encodePlace = (value: string, id: string) => Buffer.from(`${value} ${id}`).toString('base64url')

function readPlace(cursor: string | undefined): { value: string; id: string } | null {
  if (cursor === undefined) return null
  const [value = '', id = '', ...rest] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ')
  if (!/^\d{1,18}$/.test(value) || !isUuid(id) || rest.length > 0) throw invalidCursor()
  return { value, id }
}

/**
 * An owner's jobs that match a filter, in an order. A page begins after a value and an id, so that
 * new jobs do not move it. Throws `invalid_request` for a cursor of another order.
 */
export async function searchJobs(
  ownerId: number,
  { limit, cursor, sort, order, ...filter }: SearchJobs,
  signal?: AbortSignal,
): Promise<JobRows> {
  const params = filterParams(ownerId, filter, await getTimeZone(ownerId))
  const rows = await (async () => {
    if (sort === 'created') {
      const from = readCursor(cursor, isUuid)
      return runRead(PAGES.created[order], [...params, from?.at ?? null, from?.id ?? null, limit + 1], { signal })
    }
    const from = readPlace(cursor)
    return runRead(PAGES[sort][order], [...params, from?.value ?? null, from?.id ?? null, limit + 1], { signal })
  })()
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  const nextCursor =
    last &&
    (sort === 'created'
      ? encodeCursor({ at: last.createdAt, id: last.id })
      : encodePlace(sort === 'credits' ? last.credits : last.workedMs, last.id))
  return { jobs: page.map(viewJobRow), nextCursor: nextCursor ?? null }
}
