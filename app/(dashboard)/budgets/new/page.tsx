import type { Metadata } from 'next'
import { BudgetForm } from '@/components/budgets/budget-form'
import { Title } from '@/components/ui/page'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'New budget' }

export default async function NewBudgetPage() {
  const api = await dashboardApi()
  const [{ groups }, me] = await Promise.all([api.keys.options(), api.account.me()])
  return (
    <>
      <Title title="New budget" note="It counts calls from now on, and is never overspent." />
      <BudgetForm toolGroups={groups.map(({ id, label }) => ({ id, label }))} creditsPerUsd={me.creditsPerUsd} />
    </>
  )
}
