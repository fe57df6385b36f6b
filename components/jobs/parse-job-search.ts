import { z } from 'zod'
import { JobListRequest, JobStatus, RunMode, RunOrigin } from '@/server/agent/shape'
import { type ListSearchParams, textParams } from '../ui/list-url'
import { firstDayOf, isJobRange, type JobRange } from './job-range'

const Day = z.iso.date().optional().catch(undefined)

/** The URL parameters of the job list. An invalid value is ignored. */
const Query = z.object({
  q: z
    .string()
    .trim()
    .max(200)
    .refine((text) => !text.includes('\0'))
    .optional()
    .catch(undefined),
  status: JobStatus.optional().catch(undefined),
  keyId: z.coerce.number().pipe(z.int32().positive()).optional().catch(undefined),
  mode: RunMode.optional().catch(undefined),
  origin: RunOrigin.optional().catch(undefined),
  webhook: z.literal('failed').optional().catch(undefined),
  from: Day,
  to: Day,
  sort: z.enum(['created', 'credits', 'duration']).catch('created'),
  order: z.enum(['asc', 'desc']).catch('desc'),
  cursor: JobListRequest.shape.cursor.catch(undefined),
})

/** What a URL of the job list asks for; `range` names its days. */
export function parseJobSearch(
  search: ListSearchParams,
  timeZone: string,
): { query: z.infer<typeof Query>; range: JobRange | undefined } {
  const query = Query.parse(textParams(search))
  const range = isJobRange(search.range) ? search.range : undefined
  return { query: range ? { ...query, from: firstDayOf(range, timeZone), to: undefined } : query, range }
}
