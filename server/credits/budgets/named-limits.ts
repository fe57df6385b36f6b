/** A row of spend_limit that a hold counts against, and of which budget and customer it is. */
export type NamedLimit = { id: string; budgetId: string; customerId: number | null }

/** The budgets that a call counts against, and the version of the account's that they are of. */
export type NamedLimits = { version: number; rows: readonly NamedLimit[] }
