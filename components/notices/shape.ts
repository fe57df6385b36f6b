import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'

type Notices = inferRouterOutputs<AppRouter>['notices']

export type NoticeChoices = Notices['settings']
export type NoticeRow = Notices['list']['rows'][number]
