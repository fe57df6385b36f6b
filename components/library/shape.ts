import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'

type Outputs = inferRouterOutputs<AppRouter>['library']

export type ShownDataset = Outputs['dataset']
export type ShownSite = Outputs['site']
export type ShownFile = Outputs['files']['files'][number]
export type ShownRows = Outputs['rows']
