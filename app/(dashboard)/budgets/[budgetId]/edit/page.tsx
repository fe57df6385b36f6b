import type { Metadata } from 'next'
import { BudgetForm } from '@/components/budgets/budget-form'
import { Title } from '@/components/ui/page'
import { dashboardApi } from '../../../dashboard-api'
import { loadBudget } from '../../../load'

export const metadata: Metadata = { title: 'Edit budget' }

export default async function EditBudgetPage({ params }: { params: Promise<{ budgetId: string }> }) {
  const budget = await loadBudget((await params).budgetId)
  const api = await dashboardApi()
  const ids = budget.scope.keys ?? []
  const [{ groups }, me, members, names] = await Promise.all([
    api.keys.options(),
    api.account.me(),
    api.members.list(),
    api.keys.names({ ids: ids.slice(0, 200) }),
  ])
  const nameOf = new Map(names.map(({ id, name }) => [id, name]))
  return (
    <>
      <Title
        title={
          <>
            Edit <bdi className="wrap-anywhere">{budget.name}</bdi>
          </>
        }
        note="It holds for the next call. Another scope counts from then on."
      />
      <BudgetForm
        of={budget}
        keys={ids.map((id) => ({ id, name: nameOf.get(id) ?? `Key ${id}` }))}
        toolGroups={groups.map(({ id, label }) => ({ id, label }))}
        creditsPerUsd={me.creditsPerUsd}
        members={members.map(({ personId, email }) => ({ personId, email }))}
      />
    </>
  )
}
