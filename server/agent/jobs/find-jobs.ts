import { runRead } from '../../db'
import type { ReadOptions } from '../../kit/pg-read'
import { likePatterns } from '../../kit/search-words'
import { statement } from '../../kit/statement'
import { JobStatus } from '../shape'

/** How many of the newest jobs are looked through, which bounds the time; Jobs searches all. */
const NEWEST = 5_000

const FIND = statement({
  name: 'jobs_find',
  sql: `SELECT j.id, j.title, j.status FROM (
      SELECT id, title, status, created_at FROM job WHERE owner_id = $1
      ORDER BY created_at DESC, id DESC LIMIT ${NEWEST}) j
    WHERE lower(j.title) LIKE ALL ($2::text[]) ORDER BY j.created_at DESC, j.id DESC LIMIT $3::int`,
  params: ['int', 'text[]', 'int'],
  columns: { id: 'uuid', title: 'text', status: 'text' },
})
const BY_ID = statement({
  name: 'job_find_by_id',
  sql: 'SELECT id, title, status FROM job WHERE id = $1 AND owner_id = $2',
  params: ['uuid', 'int'],
  columns: { id: 'uuid', title: 'text', status: 'text' },
})

export type FoundJob = { jobId: string; title: string; status: JobStatus }

type Row = { id: string; title: string; status: string }
const viewJob = ({ id, title, status }: Row): FoundJob => ({ jobId: id, title, status: JobStatus.parse(status) })

/** An owner's newest jobs whose title has all of some words in lower case. */
export async function findJobs(
  ownerId: number,
  { words, max }: { words: readonly string[]; max: number },
  options?: ReadOptions,
): Promise<FoundJob[]> {
  return (await runRead(FIND, [ownerId, likePatterns(words), max], options)).map(viewJob)
}

/** The owner's job with an id, in a list; empty where no job has it. */
export const findJobById = async (ownerId: number, jobId: string, options?: ReadOptions): Promise<FoundJob[]> =>
  (await runRead(BY_ID, [jobId, ownerId], options)).map(viewJob)
