import { getTimeZone } from '../../accounts/time-zone'
import { runRead } from '../../db'
import { statement } from '../../kit/statement'
import { FILTER_PARAMS, FILTER_SQL, filterParams } from './filter-jobs'
import { JOB_ROW_COLUMNS, selectJobRows, viewJobRow } from './job-rows'
import type { WatchedJobs, WatchJobs } from './shape'

const LISTED = statement({
  name: 'agent_listed',
  sql: selectJobRows('SELECT * FROM job WHERE owner_id = $1 AND id = ANY ($2::uuid[])', 'j.created_at DESC, j.id DESC'),
  params: ['int', 'uuid[]'],
  columns: JOB_ROW_COLUMNS,
})

const NEWER = statement({
  name: 'agent_newer',
  sql: `SELECT count(*)::int AS newer FROM (
    SELECT FROM job j WHERE ${FILTER_SQL} AND j.created_at > $13 LIMIT 100) n`,
  params: [...FILTER_PARAMS, 'timestamptz'],
  columns: { newer: 'int' },
})

/**
 * The jobs on a page as they are now, whether or not they still match its filter, so that no row
 * moves; and how many jobs that match were started since.
 */
export async function watchListedJobs(
  ownerId: number,
  { ids, since, ...filter }: WatchJobs,
  signal?: AbortSignal,
): Promise<WatchedJobs> {
  const countNewer = async () => {
    if (since === undefined) return 0
    const params = filterParams(ownerId, filter, await getTimeZone(ownerId))
    const [row] = await runRead(NEWER, [...params, since], { signal })
    return row?.newer ?? 0
  }
  const [rows, newer] = await Promise.all([runRead(LISTED, [ownerId, ids], { signal }), countNewer()])
  return { jobs: rows.map(viewJobRow), newer }
}
