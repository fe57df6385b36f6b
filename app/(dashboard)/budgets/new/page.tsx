import type { Metadata } from 'next'
import { BudgetForm } from '@/components/budgets/budget-form'
import { Title } from '@/components/ui/page'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'New budget' }

type Props = { searchParams: Promise<{ member?: string | string[] }> }

export default async function NewBudgetPage({ searchParams }: Props) {
  const api = await dashboardApi()
  const { member } = await searchParams
  const [{ groups }, me, members] = await Promise.all([api.keys.options(), api.account.me(), api.members.list()])
  return (
    <>
      <Title title="New budget" note="It counts calls from now on, and is never overspent." />
      <BudgetForm
        toolGroups={groups.map(({ id, label }) => ({ id, label }))}
        creditsPerUsd={me.creditsPerUsd}
        members={members.map(({ personId, email }) => ({ personId, email }))}
        member={members.find(({ personId }) => String(personId) === member)?.personId}
      />
    </>
  )
}
