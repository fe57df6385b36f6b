import { createBudget } from '../../server/credits/budgets/change'
import type { Budget, BudgetInput } from '../../server/credits/budgets/shape'
import { inTransaction } from '../../server/db'
import type { TestOwner } from './owners'

/** A budget of an owner for every call: 100 credits for good, with what a test says instead. */
export const makeTestBudget = ({ id }: TestOwner, input: Partial<BudgetInput> = {}): Promise<Budget> =>
  inTransaction((tx) => createBudget(tx, id, { name: 'shop', credits: 100, window: 'lifetime', scope: {}, ...input }))
