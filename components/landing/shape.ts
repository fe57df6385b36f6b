import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'

export type PriceList = inferRouterOutputs<AppRouter>['visitor']['prices']
