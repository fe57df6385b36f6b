import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'

/** A row of the calls grouped by job: a call, or all calls of a job. */
export type GroupedRow = inferRouterOutputs<AppRouter>['usage']['grouped']['rows'][number]
