import { z } from 'zod'
import { SearchJobs } from '@/server/agent/jobs/shape'
import { firstDayOf, isJobRange, type JobRange } from './job-range'

const { shape } = SearchJobs

/** The URL parameters of the job list. An invalid value is ignored. */
const Query = z.object({
  q: shape.q.refine((text) => !text?.includes('\0')).catch(undefined),
  status: shape.status.catch(undefined),
  keyId: z.coerce.number().pipe(z.int32().positive()).optional().catch(undefined),
  mode: shape.mode.catch(undefined),
  origin: shape.origin.catch(undefined),
  from: shape.from.catch(undefined),
  to: shape.to.catch(undefined),
  sort: shape.sort.catch('created'),
  order: shape.order.catch('desc'),
  cursor: shape.cursor.catch(undefined),
})

type Search = Record<string, string | string[] | undefined>

/** What a URL of the job list asks for; `range` names its days. */
export function parseJobSearch(
  search: Search,
  timeZone: string,
): { query: z.infer<typeof Query>; range: JobRange | undefined } {
  const given = Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ''))
  const query = Query.parse(given)
  const range = isJobRange(search.range) ? search.range : undefined
  return { query: range ? { ...query, from: firstDayOf(range, timeZone), to: undefined } : query, range }
}
