import { z } from 'zod'
import { CallFilter, OutcomeFilter, UsageBreakdown, UsageRange } from '@/server/credits/shape'
import { type ListSearchParams, textParams } from '../ui/list-url'
import type { UsageFilters } from './filters'

const { shape } = CallFilter

/** Words of earlier links for calls that failed and were not charged. */
const EARLIER_STATUSES = ['void', 'expired']

/** The URL parameters of the usage page. An invalid value is ignored. */
const Query = z.object({
  range: UsageRange.or(z.literal('all')).optional().catch(undefined),
  from: shape.from.catch(undefined),
  to: shape.to.catch(undefined),
  keyId: z.coerce.number().pipe(z.int32().positive()).optional().catch(undefined),
  what: shape.what.refine((text) => !text?.includes('\0')).catch(undefined),
  channel: shape.channel.catch(undefined),
  product: shape.product.catch(undefined),
  status: z
    .preprocess((given) => (EARLIER_STATUSES.includes(String(given)) ? 'failed_free' : given), OutcomeFilter.optional())
    .catch(undefined),
  job: shape.jobId.catch(undefined),
  customer: shape.customer.catch(undefined),
  q: z.string().trim().max(200).optional().catch(undefined),
  by: UsageBreakdown.optional().catch(undefined),
  group: z.literal('job').optional().catch(undefined),
})

/** The filters in URL parameters. */
export const parseUsageFilters = (params: ListSearchParams): UsageFilters => Query.parse(textParams(params))
