import type { ReactNode } from 'react'
import { loadBudget } from '../../load'

type Props = { params: Promise<{ budgetId: string }>; children: ReactNode }

/** Loads the budget before anything is sent: once a page streams, its status can no longer be 404. */
export default async function BudgetLayout({ params, children }: Props) {
  await loadBudget((await params).budgetId)
  return children
}
