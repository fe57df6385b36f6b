import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'

type Schedules = inferRouterOutputs<AppRouter>['schedules']

export type Schedule = Schedules['get']
export type ScheduleRuns = Schedules['runs']
export type ScheduleRun = ScheduleRuns['runs'][number]
