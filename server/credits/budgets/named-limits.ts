/** A row of spend_limit that a hold counts against, and of which budget and customer it is. */
export type NamedLimit = { id: string; budgetId: string; customerId: number | null }

/** What a budget allows a minute. `id`: of its window. */
export type BudgetRate = { id: string; budgetId: string; name: string; unit: 'requests' | 'tokens'; max: number }

/** The budgets that a call counts against, and the version of the account's that they are of. */
export type NamedLimits = { version: number; rows: readonly NamedLimit[]; rates?: readonly BudgetRate[] }
