import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { idParam, type ListSearchParams, textParam, urlWith } from '@/components/ui/list-url'
import { Empty, Section, Title } from '@/components/ui/page'
import { Pager } from '@/components/ui/pager'
import { RefusalFilters } from '@/components/usage/refusal-filters'
import { RefusalsChart, RefusalTable } from '@/components/usage/refusals'
import type { RefusalRange } from '@/server/request-log/shape'
import { nullIfRefused } from '../../../or-not-found'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Refused calls' }

const RANGES = { day: '24 hours', week: '7 days', month: '30 days' } as const

export default async function RefusedPage({ searchParams }: { searchParams: Promise<ListSearchParams> }) {
  const params = await searchParams
  const chosen = textParam(params, 'range') ?? 'day'
  const range: RefusalRange = chosen === 'week' || chosen === 'month' ? chosen : 'day'
  const keyId = idParam(params, 'keyId')
  const cursor = textParam(params, 'cursor')
  const shown = { range, keyId }
  const api = await dashboardApi()
  const [totals, list, timeZone] = await Promise.all([
    api.usage.refusalTotals(shown),
    nullIfRefused(api.usage.refusals({ keyId, limit: 50, cursor }), 'invalid_request'),
    api.account.timeZone(),
  ])
  // An invalid cursor: start at the newest.
  if (!list) redirect(urlWith('/usage/refused', shown))
  return (
    <>
      <Title
        title="Refused calls"
        note="Calls that were answered 401, 402, 403, 409, 422 or 429: nothing ran, and nothing was charged."
      />
      <RefusalFilters {...shown} />
      {totals.requests > 0 ? (
        <RefusalsChart totals={totals} timeZone={timeZone} />
      ) : (
        <Empty title={`Nothing was refused in ${RANGES[range]}`}>
          <p>
            A call that a limit, a missing permission or a revoked key stops is counted here by hour, with the limit
            that stopped it. The last 100 of each key are listed for 35 days.
          </p>
        </Empty>
      )}
      {list.rows.length > 0 && (
        <Section title="The last ones">
          <RefusalTable rows={list.rows} keys={keyId === undefined ? 'linked' : 'hidden'} />
        </Section>
      )}
      <Pager
        older={list.nextCursor && urlWith('/usage/refused', shown, { cursor: list.nextCursor })}
        newest={cursor ? urlWith('/usage/refused', shown) : null}
      />
    </>
  )
}
