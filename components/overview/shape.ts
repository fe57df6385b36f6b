import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'

/** The data of the overview page. */
export type OverviewData = inferRouterOutputs<AppRouter>['overview']['get']

/** The list of first steps. */
export type FirstStepsData = inferRouterOutputs<AppRouter>['welcome']['steps']
