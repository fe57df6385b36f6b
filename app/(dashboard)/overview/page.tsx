import { CircleAlert, CircleCheck } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { StackedBars } from '@/components/charts/stacked-bars'
import { curlOf } from '@/components/keys/snippets'
import { Credits, formatCredits, Usd } from '@/components/ui/amount'
import { ButtonLink } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { CopyBox } from '@/components/ui/copy'
import { Meter } from '@/components/ui/meter'
import { Card, Empty, Section, Title } from '@/components/ui/page'
import { ReceiptTable } from '@/components/usage/receipt-table'
import { ownerApi } from '../owner-api'

export const metadata: Metadata = { title: 'Overview' }

type Overview = Awaited<ReturnType<Awaited<ReturnType<typeof ownerApi>>['overview']['get']>>

const Attention = ({ items }: { items: Overview['attention'] }) =>
  items.length === 0 ? (
    <p className="flex items-center gap-2.5 rounded border bg-raised px-3 py-2 text-muted">
      <CircleCheck className="size-4 shrink-0" aria-hidden />
      Nothing needs you now.
    </p>
  ) : (
    <ul className="divide-y rounded border bg-raised">
      {items.map(({ text, href }) => (
        <li key={href + text}>
          <Link href={href} className="flex items-center gap-2.5 px-3 py-2 hover:bg-sunken">
            <CircleAlert className="size-4 shrink-0 text-warn" aria-hidden />
            {text}
          </Link>
        </li>
      ))}
    </ul>
  )

/** How long the balance lasts, in words. */
function sayDaysLeft(days: number | null): string {
  if (days === null) return 'Nothing was spent in the last 7 days.'
  if (days > 365) return 'Lasts more than a year at the pace of the last 7 days.'
  const whole = Math.floor(days)
  return whole < 1
    ? 'Lasts less than a day at this pace.'
    : `Lasts about ${whole} ${whole === 1 ? 'day' : 'days'} at this pace.`
}

const Left = ({ balance, daysLeft, rate }: Pick<Overview, 'balance' | 'daysLeft'> & { rate: number }) => (
  <Card className="grid gap-2">
    <div className="flex flex-wrap items-baseline gap-x-3">
      <Credits value={balance.available} unit className="text-title font-semibold" />
      <Usd credits={balance.available} rate={rate} className="text-caption" />
    </div>
    <Meter
      whole={balance.available + balance.held}
      parts={[
        { value: balance.available, className: 'bg-accent' },
        { value: balance.held, className: 'hatched' },
      ]}
      label={`${formatCredits(balance.available)} credits available, ${formatCredits(balance.held)} held`}
    />
    <p className="text-muted">
      {balance.held > 0 && (
        <>
          <span className="text-warn">
            <Credits value={balance.held} /> held
          </span>{' '}
          by calls under way.{' '}
        </>
      )}
      {sayDaysLeft(daysLeft)}
    </p>
  </Card>
)

const Ranked = ({ rows }: { rows: { key: string; name: ReactNode; charged: number; calls: number }[] }) => (
  <ol className="divide-y rounded border bg-raised text-table">
    {rows.map(({ key, name, charged, calls }) => (
      <li key={key} className="flex items-baseline justify-between gap-3 px-3 py-1.5">
        <span className="min-w-0 truncate">{name}</span>
        <span className="whitespace-nowrap">
          <span className="text-caption text-muted">
            {formatCredits(calls)} {calls === 1 ? 'call' : 'calls'}
          </span>{' '}
          <Credits value={charged} className="inline-block min-w-16 text-right" />
        </span>
      </li>
    ))}
  </ol>
)

const By = ({ by }: { by: 'product' | 'key' }) => (
  <nav aria-label="Stack by" className="flex rounded border bg-raised p-0.5 text-table">
    {(['product', 'key'] as const).map((choice) => (
      <Link
        key={choice}
        href={choice === 'product' ? '/overview' : '/overview?by=key'}
        scroll={false}
        aria-current={by === choice ? 'true' : undefined}
        className={cn(
          'rounded-[4px] px-2 leading-6',
          by === choice ? 'bg-accent-weak font-medium text-accent' : 'text-muted hover:text-text',
        )}
      >
        by {choice}
      </Link>
    ))}
  </nav>
)

export default async function OverviewPage({ searchParams }: { searchParams: Promise<{ by?: string }> }) {
  const by = (await searchParams).by === 'key' ? 'key' : 'product'
  const api = await ownerApi()
  const [overview, me] = await Promise.all([api.overview.get(), api.account.me()])
  const { perDay, recent } = overview
  return (
    <div className="max-w-[1200px]">
      <Title title="Overview" />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <Section title="What needs you">
            <Attention items={overview.attention} />
          </Section>
          <Section title="What is left">
            <Left balance={overview.balance} daysLeft={overview.daysLeft} rate={me.creditsPerUsd} />
          </Section>
        </div>
        {recent.length === 0 ? (
          <Section title="Where it goes">
            <Empty title="No calls yet">
              <p>
                Credits spent per day, by product and by key, will stand here. Make a key, then a first call with it:
              </p>
              <CopyBox label="curl" code={curlOf({ baseUrl: me.baseUrl, secret: null, tools: 'all' })} />
              <div>
                <ButtonLink kind="primary" href="/keys/new">
                  New key
                </ButtonLink>
              </div>
            </Empty>
          </Section>
        ) : (
          <>
            <Section title="Where it went, 30 days" aside={<By by={by} />}>
              <Card>
                <StackedBars
                  days={perDay.days}
                  series={by === 'key' ? perDay.byKey : perDay.byProduct}
                  label={`Credits per day by ${by}`}
                />
              </Card>
            </Section>
            <div className="grid items-start gap-6 lg:grid-cols-2">
              <Section title="Top keys">
                <Ranked
                  rows={overview.topKeys.map(({ id, name, ...sum }) => ({
                    key: String(id),
                    name: (
                      <Link href={`/keys/${id}`} className="hover:underline">
                        {name}
                      </Link>
                    ),
                    ...sum,
                  }))}
                />
              </Section>
              <Section title="Top tools and models">
                <Ranked
                  rows={overview.topTools.map(({ what, ...sum }) => ({
                    key: what,
                    name: (
                      <Link href={`/usage?what=${encodeURIComponent(what)}`} className="num hover:underline">
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
                <Link href="/usage" className="text-table text-accent underline underline-offset-2">
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
