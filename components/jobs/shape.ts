import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'

type Jobs = inferRouterOutputs<AppRouter>['jobs']

export type Conversation = Jobs['get']
export type JobTurn = Conversation['turns'][number]
export type TestedCheck = NonNullable<JobTurn['checks']>[number]
export type GivenCheck = NonNullable<inferRouterInputs<AppRouter>['jobs']['start']['checks']>[number]
export type JobAnswer = Conversation['answers'][number]
export type JobStep = Jobs['steps']['steps'][number]
export type JobDelivery = Jobs['deliveries']['deliveries'][number]
export type RunKey = NonNullable<Jobs['runKey']>
export type ListedFilter = inferRouterInputs<AppRouter>['jobs']['totals']
export type ListedJob = Jobs['list']['jobs'][number]
export type LiveStep = Jobs['live'][number]
export type ExampleGoalCard = inferRouterOutputs<AppRouter>['examples']['list'][number]
