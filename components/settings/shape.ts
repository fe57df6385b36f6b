import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'

type Settings = inferRouterOutputs<AppRouter>['settings']

export type AgentSettings = Settings['get']
export type Choices = Settings['choices']
