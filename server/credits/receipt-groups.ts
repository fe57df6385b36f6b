import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { statementFamily } from '../kit/statement'
import { dayBounds, type ReceiptFilter, receiptConditions, statementValues } from './receipt-filter'
import { listReceipts } from './receipts'
import type { CallReceipt } from './shape'

/** Receipts that are read for one page at most: a page may be shorter than asked for, and go on. */
const MAX_READ = 1_000

type JobCalls = { jobId: string; calls: number; charged: number; failed: number }

/** A call; with `job` it is the newest of that job's calls, and stands for all of them. */
export type GroupedReceipt = { receipt: CallReceipt; job: JobCalls | null }

const jobSums = statementFamily({
  name: 'receipt_job_sums',
  columns: { job_id: 'uuid?', newest: 'uuid', calls: 'int', charged: 'numeric', failed: 'int' },
  samples: () => [
    sumsQuery(1, {}, []).text,
    sumsQuery(1, { keyId: 1, product: 'agent', from: '2026-01-01', to: '2026-01-31' }, []).text,
  ],
})

function sumsQuery(ownerId: number, filter: ReceiptFilter, jobIds: readonly string[]) {
  const { values, given } = statementValues()
  const { since, until } = dayBounds(filter, given)
  const owner = given(ownerId)
  const conditions = [
    ...receiptConditions({ ...filter, jobId: undefined }, given, owner),
    `r.limit_id = ANY (${given(jobIds)}::uuid[])`,
    ...(since ? [`r.at >= ${since}`] : []),
    ...(until ? [`r.at < ${until}`] : []),
  ]
  const text = `SELECT r.limit_id AS job_id, (array_agg(r.id ORDER BY r.at DESC, r.id DESC))[1] AS newest, count(*)::int AS calls,
      sum(r.charged) AS charged, (count(*) FILTER (WHERE r.status <> 'ok'))::int AS failed
    FROM receipt r WHERE ${conditions.join(' AND ')} GROUP BY r.limit_id`
  return { text, values }
}

/** Sums of the calls of some jobs, and the newest of them, by job. */
async function sumJobs(ownerId: number, filter: ReceiptFilter, jobIds: readonly string[], options?: ReadOptions) {
  if (jobIds.length === 0) return new Map<string, JobCalls & { newest: string }>()
  const { text, values } = sumsQuery(ownerId, filter, jobIds)
  const rows = await runRead(jobSums(text), values, options)
  return new Map(
    rows.map(({ job_id: jobId, newest, calls, charged, failed }) => [
      jobId ?? '',
      { jobId: jobId ?? '', newest, calls, charged: Number(charged), failed },
    ]),
  )
}

/**
 * An owner's calls, newest first, where those of a job are one row in the place of their newest. A
 * page has at most `limit` rows; it may have fewer and still be followed by another.
 */
export async function listGroupedReceipts(
  ownerId: number,
  { limit, cursor, ...filter }: ReceiptFilter & { limit: number; cursor?: string },
  options?: ReadOptions,
): Promise<{ rows: GroupedReceipt[]; nextCursor: string | null }> {
  const rows: GroupedReceipt[] = []
  let next = cursor
  for (let read = 0; read < MAX_READ; read += limit) {
    // Never more rows than are missing, so that the page ends where its last part does.
    const part = await listReceipts(
      ownerId,
      { ...filter, limit: Math.max(limit - rows.length, 1), cursor: next },
      options,
    )
    const jobIds = [...new Set(part.rows.flatMap(({ jobId }) => jobId ?? []))]
    const jobs = await sumJobs(ownerId, filter, jobIds, options)
    for (const receipt of part.rows) {
      const job = receipt.jobId === null ? null : jobs.get(receipt.jobId)
      if (!job) rows.push({ receipt, job: null })
      else if (job.newest === receipt.requestId) {
        const { newest: _, ...sums } = job
        rows.push({ receipt, job: sums })
      }
    }
    if (part.nextCursor === null || rows.length >= limit) return { rows, nextCursor: part.nextCursor }
    next = part.nextCursor
  }
  return { rows, nextCursor: next ?? null }
}
