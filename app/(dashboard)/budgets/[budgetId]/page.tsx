import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { BudgetActions } from '@/components/budgets/budget-actions'
import { BudgetScopeFacts, BudgetSpend } from '@/components/budgets/budget-facts'
import { CustomerTable } from '@/components/budgets/customer-table'
import { May } from '@/components/shell/role'
import { Empty, Section, Title } from '@/components/ui/page'
import { Pager } from '@/components/ui/pager'
import { nullIfRefused } from '../../../or-not-found'
import { dashboardApi } from '../../dashboard-api'
import { loadBudget } from '../../load'

export const metadata: Metadata = { title: 'Budget' }

type Props = { params: Promise<{ budgetId: string }>; searchParams: Promise<{ cursor?: string | string[] }> }

export default async function BudgetPage({ params, searchParams }: Props) {
  const { budgetId } = await params
  const { cursor: asked } = await searchParams
  const cursor = typeof asked === 'string' && asked ? asked : undefined
  const [api, budget] = [await dashboardApi(), await loadBudget(budgetId)]
  const [me, keyNames, members, customers] = await Promise.all([
    api.account.me(),
    nullIfRefused(api.keys.names({ ids: (budget.scope.keys ?? []).slice(0, 200) }), 'forbidden'),
    budget.scope.members ? api.members.list() : [],
    budget.scope.customers === 'each'
      ? nullIfRefused(api.budgets.customers({ id: budgetId, cursor }), 'invalid_request')
      : { rows: [], nextCursor: null },
  ])
  if (!customers) redirect(`/budgets/${budgetId}`)
  return (
    <div className="max-w-[1200px]">
      <Title title={<bdi className="wrap-anywhere">{budget.name}</bdi>} />
      <May to="budgets.change">
        <div className="mb-6 max-w-[720px]">
          <BudgetActions of={budget} />
        </div>
      </May>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Section title="Credits">
          <BudgetSpend of={budget} creditsPerUsd={me.creditsPerUsd} />
        </Section>
        <Section title="What it counts">
          <BudgetScopeFacts of={budget} keyNames={keyNames ?? []} members={members} />
        </Section>
        {budget.scope.customers === 'each' && (
          <Section title="Customers" className="lg:col-span-2">
            {customers.rows.length > 0 ? (
              <CustomerTable rows={customers.rows} credits={budget.credits} />
            ) : (
              <Empty title="No customer has called yet">
                <p>Customers appear here with their first call that this budget counts.</p>
              </Empty>
            )}
            <Pager
              older={customers.nextCursor && `/budgets/${budgetId}?cursor=${customers.nextCursor}`}
              newest={cursor ? `/budgets/${budgetId}` : null}
              words={{ older: 'Next', newest: 'First page' }}
            />
          </Section>
        )}
      </div>
    </div>
  )
}
