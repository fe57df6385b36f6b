import type { Metadata } from 'next'
import Link from 'next/link'
import { TrafficBar } from '@/components/operators/traffic-bar'
import { parseTrafficPage } from '@/components/operators/traffic-page'
import { TrafficTable } from '@/components/operators/traffic-table'
import type { ListSearchParams } from '@/components/ui/list-url'
import { Empty, Title } from '@/components/ui/page'
import { ExactTime } from '@/components/ui/time-ago'
import { operatorsApi } from '../operators-api'

export const metadata: Metadata = { title: 'Traffic' }

export default async function TrafficOfOwnersPage({ searchParams }: { searchParams: Promise<ListSearchParams> }) {
  const page = parseTrafficPage(await searchParams)
  const { since, rows } = await (await operatorsApi()).owners.traffic(page)
  return (
    <>
      <Title
        title="Traffic"
        note="Who takes the most of the service, by requests with keys, time, calls in progress and credits."
      />
      <TrafficBar now={page} since={<ExactTime at={since} />} hasRows={rows.length > 0} />
      {page.range === 'now' && rows.length > 0 && (
        <p className="mb-3 max-w-[72ch] text-caption text-muted">
          The last five minutes are billed calls, those of agent runs included, each with its whole time; and refused
          ones, of which the last 100 of each key are kept.
        </p>
      )}
      {rows.length > 0 ? (
        <TrafficTable rows={rows} sort={page.sort} />
      ) : (
        <Empty title="Nobody called">
          <p>
            Owners appear here some seconds after a request with one of their keys is answered or refused, and when an
            agent run of theirs is charged.
          </p>
          {page.range !== 'day' && (
            <p>
              <Link href="/operators/traffic?range=day" className="text-accent underline underline-offset-2">
                Look at the last 24 hours
              </Link>
            </p>
          )}
        </Empty>
      )}
    </>
  )
}
