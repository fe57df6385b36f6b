import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'

/** What the overview is drawn from. */
export type OverviewData = inferRouterOutputs<AppRouter>['overview']['get']
