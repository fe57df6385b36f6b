import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { StackedBars } from '@/components/charts/stacked-bars'
import { Examples } from '@/components/jobs/examples'
import { callCurl } from '@/components/keys/call-code'
import { SEARCH_CALL } from '@/components/keys/first-call'
import { Attention } from '@/components/overview/attention'
import { BalanceCard } from '@/components/overview/balance-card'
import { FirstStepList, hasFirstSteps } from '@/components/overview/first-steps'
import { HideFirstSteps } from '@/components/overview/hide-first-steps'
import { SpendRanking } from '@/components/overview/spend-ranking'
import { StackBy } from '@/components/overview/stack-by'
import { May } from '@/components/shell/role'
import { ButtonLink } from '@/components/ui/button'
import { CopyBox } from '@/components/ui/copy'
import { Card, Empty, Section, Title } from '@/components/ui/page'
import { productLabel } from '@/components/usage/receipt-labels'
import { ReceiptTable } from '@/components/usage/receipt-table'
import { currentSession } from '../../session'
import { dashboardApi } from '../dashboard-api'

export const metadata: Metadata = { title: 'Overview' }

export default async function OverviewPage({ searchParams }: { searchParams: Promise<{ by?: string }> }) {
  const by = (await searchParams).by === 'key' ? 'key' : 'product'
  const api = await dashboardApi()
  // Whoever only pays begins where the money is.
  if (!(await currentSession())?.account?.may.includes('viewer')) redirect('/credits')
  const [overview, me] = await Promise.all([api.overview.get(), api.account.me()])
  const makesCalls = me.account?.may.includes('developer') === true
  const first = makesCalls ? await api.welcome.steps() : { isHidden: true, steps: [] }
  const { perDay, recent } = overview
  const showsSteps = !first.isHidden && hasFirstSteps(first)
  const isNew = recent.length === 0 || showsSteps
  const examples = makesCalls && isNew ? await api.examples.list() : []
  return (
    <div className="max-w-[1200px]">
      <Title title="Overview" />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <div className="grid items-start gap-6 lg:grid-cols-2">
          {showsSteps && (
            <Section title="First steps" aside={<HideFirstSteps />}>
              <FirstStepList steps={first.steps} />
            </Section>
          )}
          <div className={showsSteps ? 'grid grid-cols-[minmax(0,1fr)] gap-6' : 'contents'}>
            <Section title="Needs your attention">
              <Attention needs={overview.attention} />
            </Section>
            {overview.balance && (
              <Section title="Balance">
                <BalanceCard {...overview} balance={overview.balance} rate={me.creditsPerUsd} />
              </Section>
            )}
          </div>
        </div>
        {examples.length > 0 && (
          <Section title="Example goals">
            <Examples examples={examples} />
          </Section>
        )}
        {recent.length === 0 ? (
          <Section title="Spend">
            <Empty title="No calls yet">
              <p>
                The credits you spend per day, by product and by key, appear here.{' '}
                {overview.hasKey ? 'Make a call with your key:' : 'Create a key, then make a call:'}
              </p>
              <CopyBox label="curl" code={callCurl({ baseUrl: me.baseUrl, secret: null, call: SEARCH_CALL })} />
              <May to="keys.create">
                <ButtonLink kind="primary" href={overview.hasKey ? '/playground' : '/keys/new'}>
                  {overview.hasKey ? 'Ask a model in the playground' : 'New key'}
                </ButtonLink>
              </May>
            </Empty>
          </Section>
        ) : (
          <>
            <Section title="Spend, last 30 days" aside={<StackBy by={by} />}>
              <Card>
                <StackedBars
                  buckets={perDay.days}
                  series={
                    by === 'key' ? perDay.byKey : perDay.byProduct.map((of) => ({ ...of, name: productLabel(of.name) }))
                  }
                  label={`Credits per day by ${by}`}
                  timeZone={perDay.timeZone}
                />
              </Card>
            </Section>
            <div className="grid items-start gap-6 lg:grid-cols-2">
              <Section title="Top keys">
                <SpendRanking
                  rows={overview.topKeys.map(({ id, name, ...sum }) => ({
                    key: String(id),
                    name: (
                      <Link href={`/keys/${id}`} prefetch={false} className="hover:underline">
                        {name}
                      </Link>
                    ),
                    ...sum,
                  }))}
                />
              </Section>
              <Section title="Top tools and models">
                <SpendRanking
                  rows={overview.topTools.map(({ what, ...sum }) => ({
                    key: what,
                    name: (
                      <Link
                        href={`/usage?what=${encodeURIComponent(what)}`}
                        prefetch={false}
                        className="num hover:underline"
                      >
                        {what}
                      </Link>
                    ),
                    ...sum,
                  }))}
                />
              </Section>
            </div>
            <Section
              title="Recent calls"
              aside={
                <Link href="/usage" prefetch={false} className="text-table text-accent underline underline-offset-2">
                  All calls
                </Link>
              }
            >
              <ReceiptTable rows={recent} creditsPerUsd={me.creditsPerUsd} />
            </Section>
          </>
        )}
      </div>
    </div>
  )
}
