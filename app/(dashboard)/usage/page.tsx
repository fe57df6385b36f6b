import { Download } from 'lucide-react'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { callCurl } from '@/components/keys/call-code'
import { SEARCH_CALL } from '@/components/keys/first-call'
import { ButtonLink } from '@/components/ui/button'
import { CopyBox } from '@/components/ui/copy'
import { Empty, Title } from '@/components/ui/page'
import { Pager } from '@/components/ui/pager'
import { FilterBar } from '@/components/usage/filter-bar'
import { urlWithFilters } from '@/components/usage/filters'
import { parseUsageFilters, type UsageSearchParams } from '@/components/usage/parse-filters'
import { ReceiptTable } from '@/components/usage/receipt-table'
import { nullIfRefused } from '../../or-not-found'
import { dashboardApi } from '../dashboard-api'

export const metadata: Metadata = { title: 'Usage' }

const oneOf = (value: string | string[] | undefined) => (typeof value === 'string' && value ? value : undefined)

export default async function UsagePage({ searchParams }: { searchParams: Promise<UsageSearchParams> }) {
  const params = await searchParams
  const filters = parseUsageFilters(params)
  const [cursor, requestId] = [oneOf(params.cursor), oneOf(params.receipt)]
  const api = await dashboardApi()
  const [list, keys, names, me, opened] = await Promise.all([
    nullIfRefused(api.usage.list({ ...filters, limit: 50, cursor }), 'invalid_request'),
    api.keys.list({ limit: 100 }),
    api.usage.names(),
    api.account.me(),
    requestId ? nullIfRefused(api.usage.get({ requestId })) : null,
  ])
  // An invalid cursor: start at the newest.
  if (!list) redirect(urlWithFilters('/usage', filters))
  const filtered = Object.values(filters).some((value) => value !== undefined)
  return (
    <>
      <Title
        title="Usage"
        note="Every call with its receipt. Press j and k to move through the rows, Enter to open one."
        action={
          <ButtonLink href={urlWithFilters('/usage/export', filters)} prefetch={false} download>
            <Download className="size-4" aria-hidden />
            Export CSV
          </ButtonLink>
        }
      />
      {(list.rows.length > 0 || filtered || cursor) && (
        <FilterBar filters={filters} keys={keys.rows.map(({ id, name }) => ({ id, name }))} names={names} />
      )}
      {list.rows.length > 0 ? (
        <ReceiptTable key={cursor ?? 'newest'} rows={list.rows} creditsPerUsd={me.creditsPerUsd} opened={opened} />
      ) : filtered || cursor ? (
        <Empty title="No matching calls">
          <p>No call matches these filters. Choose more days, or clear the filters.</p>
        </Empty>
      ) : (
        <Empty title="No calls yet">
          <p>Every call appears here with what was reserved, charged and released. Make one:</p>
          <CopyBox label="curl" code={callCurl({ baseUrl: me.baseUrl, secret: null, call: SEARCH_CALL })} />
        </Empty>
      )}
      <Pager
        older={list.nextCursor && urlWithFilters('/usage', filters, { cursor: list.nextCursor })}
        newest={cursor ? urlWithFilters('/usage', filters) : null}
      />
    </>
  )
}
