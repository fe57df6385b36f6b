import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'

/** What the account's latest calls of a model were like. */
export type MeasuredCalls = inferRouterOutputs<AppRouter>['models']['figures'][number]
