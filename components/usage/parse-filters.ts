import { z } from 'zod'
import { UsageFilter } from '@/server/credits/shape'
import type { UsageFilters } from './filters'

const { shape } = UsageFilter

/** The URL parameters of the usage page. An invalid value is ignored. */
const Query = z.object({
  keyId: z.coerce.number().pipe(z.int32().positive()).optional().catch(undefined),
  what: shape.what.refine((text) => !text?.includes('\0')).catch(undefined),
  status: shape.status.catch(undefined),
  product: shape.product.catch(undefined),
  from: shape.from.catch(undefined),
  to: shape.to.catch(undefined),
})
export type UsageSearchParams = Record<string, string | string[] | undefined>

/** The filters in URL parameters. */
export const parseUsageFilters = (params: UsageSearchParams): UsageFilters =>
  Query.parse(Object.fromEntries(Object.entries(params).filter(([, value]) => value !== '')))
