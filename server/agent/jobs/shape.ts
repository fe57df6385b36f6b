import { z } from 'zod'
import { JobListRequest, JobStatus, JobSummary, RunMode, RunOrigin } from '../shape'

/** Which jobs of an owner the dashboard's list shows. */
export const JobFilter = z.object({
  q: z.string().trim().max(200).optional().describe("Beginnings of words of the goals, or of a job's id"),
  status: JobStatus.optional(),
  keyId: z.int32().positive().optional().describe('The key of the latest turn'),
  mode: RunMode.optional(),
  origin: RunOrigin.optional().describe('How the latest turn was started'),
  webhook: z.literal('failed').optional().describe('With a webhook that was given up in the last seven days'),
  from: z.iso.date().optional().describe("The first day of their start, in the owner's time zone"),
  to: z.iso.date().optional().describe('The last day'),
})
export type JobFilter = z.infer<typeof JobFilter>

export const JobSort = z.enum(['created', 'credits', 'duration'])
export type JobSort = z.infer<typeof JobSort>

export const SearchJobs = JobListRequest.extend({
  ...JobFilter.shape,
  sort: JobSort.default('created'),
  order: z.enum(['asc', 'desc']).default('desc'),
})
export type SearchJobs = z.infer<typeof SearchJobs>

/** A job in the dashboard's list. */
export const JobRow = JobSummary.extend({
  keyId: z.int(),
  keyName: z.string(),
  origin: RunOrigin.nullable(),
  workedMs: z.int().describe('From the start to the end of each turn that has ended'),
  runningSince: z.iso.datetime().nullable().describe('When the turn in progress began'),
})
export type JobRow = z.infer<typeof JobRow>

export const JobRows = z.object({ jobs: z.array(JobRow), nextCursor: z.string().nullable() })
export type JobRows = z.infer<typeof JobRows>

const StatusTotal = z.object({ status: JobStatus, jobs: z.int(), credits: z.int() })

/** The sums of a filter, and for each status what its filter would show. */
export const JobTotals = z.object({ jobs: z.int(), credits: z.int(), byStatus: z.array(StatusTotal) })
export type JobTotals = z.infer<typeof JobTotals>

/** The rows on a page as they are now, and how many newer jobs match. */
export const WatchJobs = z.object({
  ...JobFilter.shape,
  ids: z.array(z.uuid()).max(100),
  since: z.iso.datetime().optional().describe('Count the matching jobs that were started after this'),
})
export type WatchJobs = z.infer<typeof WatchJobs>

export const WatchedJobs = z.object({
  jobs: z.array(JobRow),
  newer: z.int().describe('At most 100'),
})
export type WatchedJobs = z.infer<typeof WatchedJobs>
