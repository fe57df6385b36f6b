import { getTimeZone } from '../../accounts/time-zone'
import { runRead } from '../../db'
import { readSortedCursor } from '../../errors'
import { encodeSortedCursor } from '../../kit/cursor'
import { isUuid } from '../../kit/id'
import { statementFamily } from '../../kit/statement'
import { FILTER_SQL, filterParams } from './filter-jobs'
import { JOB_ROW_COLUMNS, selectJobRows, viewJobRow } from './job-rows'
import { type JobRows, JobSort, type SearchJobs } from './shape'

type SortedRow = { createdAt: Date; credits: string; workedMs: string }

type SortedBy = { column: string; type: string; values: 'time' | 'number'; valueIn: (row: SortedRow) => string }

/** The column of each order, the type of its values, and the value of a row. */
const SORTED_BY: Record<JobSort, SortedBy> = {
  created: {
    column: 'created_at',
    type: 'timestamptz',
    values: 'time',
    valueIn: ({ createdAt }) => createdAt.toISOString(),
  },
  credits: { column: 'credits', type: 'bigint', values: 'number', valueIn: ({ credits }) => credits },
  duration: { column: 'worked_ms', type: 'bigint', values: 'number', valueIn: ({ workedMs }) => workedMs },
}

/** At most $15 jobs after the one whose value is $13 and whose id is $14. */
function pageText(sort: JobSort, order: 'asc' | 'desc'): string {
  const { column, type } = SORTED_BY[sort]
  return selectJobRows(
    `SELECT j.* FROM job j WHERE ${FILTER_SQL}
      AND ($14::uuid IS NULL OR (j.${column}, j.id) ${order === 'asc' ? '>' : '<'} ($13::text::${type}, $14::uuid))
      ORDER BY j.${column} ${order}, j.id ${order} LIMIT $15::int`,
    `j.${column} ${order}, j.id ${order}`,
  )
}

const jobPage = statementFamily({
  name: 'agent_find',
  columns: JOB_ROW_COLUMNS,
  samples: () => JobSort.options.flatMap((sort) => [pageText(sort, 'asc'), pageText(sort, 'desc')]),
})

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
  const by = `${sort} ${order}`
  const { values, valueIn } = SORTED_BY[sort]
  const after = readSortedCursor(cursor, { order: by, values, isId: isUuid })
  const place = [after?.value ?? null, after?.id ?? null, limit + 1]
  const rows = await runRead(jobPage(pageText(sort, order)), [...params, ...place], { signal })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  const nextCursor = last && encodeSortedCursor(by, { value: valueIn(last), id: last.id })
  return { jobs: page.map(viewJobRow), nextCursor: nextCursor ?? null }
}
