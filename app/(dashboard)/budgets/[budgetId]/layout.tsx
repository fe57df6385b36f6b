import type { ReactNode } from 'react'
import { loadBudget } from '../../load'

type Props = { params: Promise<{ budgetId: string }>; children: ReactNode }

/** Loads the budget before anything is sent: a page that streams can be no 404 any more. */
export default async function BudgetLayout({ params, children }: Props) {
  await loadBudget((await params).budgetId)
  return children
}
