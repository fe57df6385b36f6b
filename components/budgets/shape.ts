import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'

type Budgets = inferRouterOutputs<AppRouter>['budgets']

export type ShownBudget = Budgets['get']
export type BudgetCustomer = Budgets['customers']['rows'][number]
export type BudgetToMake = inferRouterInputs<AppRouter>['budgets']['create']
export type ScopeChoice = NonNullable<BudgetToMake['scope']>

/** How often a budget begins anew. */
export const WINDOWS = { month: 'a month', week: 'a week', day: 'a day', lifetime: 'in all' } as const
