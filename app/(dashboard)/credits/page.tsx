import { Download } from 'lucide-react'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { MonthChoice } from '@/components/credits/month-choice'
import { StatementTable } from '@/components/credits/statement-table'
import { TopUp } from '@/components/credits/top-up'
import { count } from '@/components/keys/summary'
import { BalanceCard } from '@/components/overview/balance-card'
import { ButtonLink } from '@/components/ui/button'
import { Empty, Section, Title } from '@/components/ui/page'
import { Pager } from '@/components/ui/pager'
import { nullIfRefused } from '../../or-not-found'
import { dashboardApi } from '../dashboard-api'

export const metadata: Metadata = { title: 'Credits' }

type Params = { month?: string | string[]; cursor?: string | string[] }

const oneOf = (value: string | string[] | undefined) => (typeof value === 'string' && value ? value : undefined)

export default async function CreditsPage({ searchParams }: { searchParams: Promise<Params> }) {
  const params = await searchParams
  const [month, cursor] = [oneOf(params.month), oneOf(params.cursor)]
  const api = await dashboardApi()
  const [statement, balance, limits, pace, topUp, me] = await Promise.all([
    nullIfRefused(api.credits.statement({ month, cursor }), 'invalid_request'),
    api.overview.balance(),
    api.credits.limits(),
    api.overview.pace(),
    api.credits.topUp(),
    api.account.me(),
  ])
  if (!statement) redirect('/credits')
  return (
    <div className="max-w-[1200px]">
      <Title title="Credits" note="What you have, what changed it, and how to get more." />
      <div className="mb-6 grid items-start gap-6 lg:grid-cols-2">
        <Section title="Balance">
          <BalanceCard balance={balance} pace={pace} dailyLimit={limits.day} rate={me.creditsPerUsd} />
          <p className="mt-2 text-caption text-muted">
            All keys together make at most {count(limits.requestsPerMinute, 'request')} a minute and have at most{' '}
            {count(limits.callsInProgress, 'call')} in progress.
          </p>
        </Section>
        <Section title="Get credits">
          <TopUp topUp={topUp} available={balance.available} isAdmin={me.isAdmin} />
        </Section>
      </div>
      <Section
        title="Statement"
        aside={
          <div className="flex flex-wrap items-center justify-end gap-2">
            <MonthChoice month={month} />
            <ButtonLink
              size="small"
              href={month ? `/credits/export?month=${month}` : '/credits/export'}
              prefetch={false}
              download
            >
              <Download className="size-4" aria-hidden />
              Export CSV
            </ButtonLink>
          </div>
        }
      >
        <p className="mb-3 max-w-prose text-muted">
          Charges are summed per day and lead to their calls. The balance includes credits that calls in progress have
          reserved.
        </p>
        {statement.lines.length > 0 ? (
          <StatementTable lines={statement.lines} />
        ) : (
          <Empty title={month ? 'Nothing in this month' : 'Nothing yet'}>
            <p>Credits that you are granted or buy, what calls are charged, and refunds appear here.</p>
          </Empty>
        )}
        <Pager
          older={statement.nextCursor && `/credits?${month ? `month=${month}&` : ''}cursor=${statement.nextCursor}`}
          newest={cursor ? `/credits${month ? `?month=${month}` : ''}` : null}
        />
      </Section>
    </div>
  )
}
