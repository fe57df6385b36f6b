import { getTimeZone } from '../../accounts/time-zone'
import { runRead } from '../../db'
import { statement } from '../../kit/statement'
import { JobStatus } from '../shape'
import { FILTER_PARAMS, FILTER_SQL, filterParams } from './filter-jobs'
import type { JobFilter, JobTotals } from './shape'

const TOTALS = statement({
  name: 'agent_totals',
  sql: `SELECT j.status, count(*)::int AS jobs, coalesce(sum(l.spent), 0)::bigint AS credits
    FROM job j LEFT JOIN spend_limit l ON l.id = j.id AND l.owner_id = j.owner_id WHERE ${FILTER_SQL} GROUP BY j.status`,
  params: FILTER_PARAMS,
  columns: { status: JobStatus.options, jobs: 'int', credits: 'bigint' },
})

/** How many of an owner's jobs match a filter and what they spent, in all and of each status. */
export async function totalJobs(
  ownerId: number,
  { status, ...filter }: JobFilter,
  signal?: AbortSignal,
): Promise<JobTotals> {
  const params = filterParams(ownerId, filter, await getTimeZone(ownerId))
  const found = new Map((await runRead(TOTALS, params, { signal })).map((row) => [row.status, row]))
  const byStatus = JobStatus.options.map((each) => ({
    status: each,
    jobs: found.get(each)?.jobs ?? 0,
    credits: Number(found.get(each)?.credits ?? 0),
  }))
  const matching = byStatus.filter((row) => status === undefined || row.status === status)
  const sum = (of: 'jobs' | 'credits') => matching.reduce((total, row) => total + row[of], 0)
  return { jobs: sum('jobs'), credits: sum('credits'), byStatus }
}
