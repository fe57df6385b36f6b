import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'

type Budgets = inferRouterOutputs<AppRouter>['budgets']

export type ShownBudget = Budgets['get']
export type BudgetCustomer = Budgets['customers']['rows'][number]
export type BudgetToMake = inferRouterInputs<AppRouter>['budgets']['create']
export type ScopeChoice = NonNullable<BudgetToMake['scope']>

/** What kinds of calls a budget can be of, as its form and its page name them. */
export const PRODUCTS = { tool: 'Tool calls', chat: 'Model calls', agent: 'Agent runs' } as const

/** How often a budget begins anew. */
export const WINDOWS = { month: 'a month', week: 'a week', day: 'a day', lifetime: 'in all' } as const
