import { Plus } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { BudgetTable } from '@/components/budgets/budget-table'
import { May } from '@/components/shell/role'
import { ButtonLink } from '@/components/ui/button'
import { Empty, Title } from '@/components/ui/page'
import { Pager } from '@/components/ui/pager'
import { nullIfRefused } from '../../../or-not-found'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Budgets' }

type Params = { cursor?: string | string[] }

export default async function BudgetsPage({ searchParams }: { searchParams: Promise<Params> }) {
  const { cursor: asked } = await searchParams
  const cursor = typeof asked === 'string' && asked ? asked : undefined
  const api = await dashboardApi()
  const found = await nullIfRefused(api.budgets.list({ cursor }), 'invalid_request')
  // An invalid cursor: start at the beginning.
  if (!found) redirect('/budgets')
  return (
    <>
      <Title
        title="Budgets"
        note="What keys, members, customers, tools or models may spend together. Calls beyond it are refused."
        action={
          <May to="budgets.create">
            <ButtonLink kind="primary" href="/budgets/new">
              <Plus className="size-4" aria-hidden />
              New budget
            </ButtonLink>
          </May>
        }
      />
      {found.rows.length > 0 ? (
        <BudgetTable budgets={found.rows} />
      ) : (
        <Empty title="No budgets">
          <p>
            A budget limits calls of several keys at once, or each of your customers, for a day, a week, a month or in
            all. Its page shows what is spent and reserved. Programs make them{' '}
            <Link href="/docs/budgets" className="text-accent underline underline-offset-2">
              by API
            </Link>
            .
          </p>
          <div>
            <May to="budgets.create">
              <ButtonLink href="/budgets/new">Make a budget</ButtonLink>
            </May>
          </div>
        </Empty>
      )}
      <Pager older={found.nextCursor && `/budgets?cursor=${found.nextCursor}`} newest={cursor ? '/budgets' : null} />
    </>
  )
}
