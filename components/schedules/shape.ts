import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'

type Schedules = inferRouterOutputs<AppRouter>['schedules']

export type Schedule = Schedules['get']
export type ScheduleRunList = Schedules['runs']
export type ScheduleRun = ScheduleRunList['runs'][number]
