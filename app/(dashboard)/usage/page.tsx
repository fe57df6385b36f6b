import { Ban, Download } from 'lucide-react'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { callCurl } from '@/components/keys/call-code'
import { SEARCH_CALL } from '@/components/keys/first-call'
import { ButtonLink } from '@/components/ui/button'
import { CopyBox } from '@/components/ui/copy'
import { type ListSearchParams, textParam, urlWith } from '@/components/ui/list-url'
import { Empty, Section, Title } from '@/components/ui/page'
import { Pager } from '@/components/ui/pager'
import { UsageChart } from '@/components/usage/breakdown'
import { FilterBar } from '@/components/usage/filter-bar'
import { callFilterOf, isFiltered, rangeOf, refusalRangeOf, type UsageFilters } from '@/components/usage/filters'
import { GroupByJob } from '@/components/usage/group-by-job'
import { GroupedReceiptTable } from '@/components/usage/grouped-table'
import { NewCalls } from '@/components/usage/new-calls'
import { parseUsageFilters } from '@/components/usage/parse-filters'
import { UsageRangeBar } from '@/components/usage/range-bar'
import { ReceiptTable } from '@/components/usage/receipt-table'
import { SavedViews } from '@/components/usage/saved-views'
import { UsageTotalsRow } from '@/components/usage/totals'
import { shownViews, viewWords } from '@/components/usage/view-words'
import { nullIfRefused } from '../../or-not-found'
import { dashboardApi } from '../dashboard-api'

export const metadata: Metadata = { title: 'Usage' }

const PAGE = 50

export default async function UsagePage({ searchParams }: { searchParams: Promise<ListSearchParams> }) {
  const params = await searchParams
  const filters = parseUsageFilters(params)
  const [cursor, requestId] = [textParam(params, 'cursor'), textParam(params, 'receipt')]
  const filter = callFilterOf(filters)
  const by = filters.by ?? 'product'
  const api = await dashboardApi()
  const me = await api.account.me()
  if (!me.account?.may.includes('viewer')) return <UsageSums filters={filters} creditsPerUsd={me.creditsPerUsd} />
  const isFound = filters.q !== undefined
  const refusedIn = refusalRangeOf(filters)
  const [calls, totals, pace, refused, names, timeZone, views, opened] = await Promise.all([
    nullIfRefused(loadCalls(filters, cursor), 'invalid_request'),
    isFound ? null : api.usage.totals({ ...filter, by }),
    isFound ? null : nullIfRefused(api.usage.pace(filter), 'unavailable'),
    refusedIn && api.usage.refusalTotals({ keyId: filters.keyId, range: refusedIn }),
    api.usage.names(),
    api.account.timeZone(),
    api.usage.views(),
    requestId ? nullIfRefused(api.usage.get({ requestId })) : null,
  ])
  // An invalid cursor: start at the newest.
  if (!calls) redirect(urlWith('/usage', filters))
  const isNew = names.length === 0 && !isFiltered(filters)
  const rows = calls.kind === 'grouped' ? calls.rows.map(({ receipt }) => receipt) : calls.rows
  return (
    <>
      <Title
        title="Usage"
        note={
          <>
            Every call with its receipt, and what they come to.
            <span className="pointer-coarse:hidden"> Press j and k to move through the rows, Enter to open one.</span>
          </>
        }
        action={
          !isNew && (
            <>
              <ButtonLink href={urlWith('/usage/refused', { keyId: filters.keyId })}>
                <Ban className="size-4" aria-hidden />
                Refused calls
              </ButtonLink>
              <ButtonLink href={exportUrl(filters)} prefetch={false} download>
                <Download className="size-4" aria-hidden />
                Export CSV
              </ButtonLink>
            </>
          )
        }
      />
      {isNew ? (
        <Empty title="No calls yet">
          <p>Every call appears here with what was reserved, charged and released. Make one:</p>
          <CopyBox label="curl" code={callCurl({ baseUrl: me.baseUrl, secret: null, call: SEARCH_CALL })} />
        </Empty>
      ) : (
        <>
          <UsageBar filters={filters} timeZone={timeZone} views={views} />
          <FilterBar filters={filters} names={names} />
          {totals && (
            <UsageTotalsRow
              of={totals.total}
              creditsPerUsd={me.creditsPerUsd}
              pace={pace}
              refused={refused && refusedIn && { totals: refused, range: refusedIn }}
            />
          )}
          {totals && totals.total.calls > 0 && <UsageChart totals={totals} by={by} filters={filters} />}
          <Section
            title="Calls"
            aside={
              <div className="flex flex-wrap items-center justify-end gap-3">
                {!cursor && !isFound && (
                  <NewCalls key={rows[0]?.requestId ?? ''} filter={filter} newest={rows[0]?.requestId} />
                )}
                {!isFound && <GroupByJob filters={filters} />}
              </div>
            }
          >
            {rows.length === 0 ? (
              <NoMatch isFound={isFound} filtered={isFiltered(filters)} />
            ) : calls.kind === 'grouped' ? (
              <GroupedReceiptTable
                key={cursor ?? 'newest'}
                rows={calls.rows}
                filter={filter}
                creditsPerUsd={me.creditsPerUsd}
                opened={opened}
              />
            ) : (
              <ReceiptTable
                key={cursor ?? 'newest'}
                rows={calls.rows}
                creditsPerUsd={me.creditsPerUsd}
                opened={opened}
              />
            )}
          </Section>
          <Pager
            older={calls.nextCursor && urlWith('/usage', filters, { cursor: calls.nextCursor })}
            newest={cursor ? urlWith('/usage', filters) : null}
          />
        </>
      )}
    </>
  )
}

type SumsProps = { filters: UsageFilters; creditsPerUsd: number }

/** What calls come to, for whoever pays: no keys, and no call alone. */
async function UsageSums({ filters: { keyId: _, q: __, by, ...filters }, creditsPerUsd }: SumsProps) {
  const api = await dashboardApi()
  const shownBy = by === undefined || by === 'key' ? 'product' : by
  const [totals, pace, timeZone, views] = await Promise.all([
    api.usage.totals({ ...callFilterOf(filters), by: shownBy }),
    nullIfRefused(api.usage.pace(callFilterOf(filters)), 'unavailable'),
    api.account.timeZone(),
    api.usage.views(),
  ])
  return (
    <>
      <Title title="Usage" note="What calls come to." />
      <UsageBar filters={{ by, ...filters }} timeZone={timeZone} views={views} />
      <UsageTotalsRow of={totals.total} creditsPerUsd={creditsPerUsd} pace={pace} />
      {totals.total.calls > 0 && <UsageChart totals={totals} by={shownBy} filters={filters} />}
    </>
  )
}

type BarProps = { filters: UsageFilters; timeZone: string; views: { name: string; query: string }[] }

/** The days that the page is about, and the views that somebody keeps of it. */
const UsageBar = ({ filters, timeZone, views }: BarProps) => (
  <div className="flex flex-wrap items-start gap-x-4">
    <UsageRangeBar filters={filters} timeZone={timeZone} />
    <SavedViews views={shownViews(views, filters)} query={urlWith('', filters).slice(1)} words={viewWords(filters)} />
  </div>
)

/** The CSV of the same calls. */
function exportUrl(filters: UsageFilters): string {
  const range = rangeOf(filters)
  const { q: _, by: __, group: ___, ...others } = filters
  return urlWith('/usage/export', { ...others, range: range === 'own' ? undefined : range })
}

const NoMatch = ({ isFound, filtered }: { isFound: boolean; filtered: boolean }) => (
  <Empty title={filtered ? 'No matching calls' : 'No calls on these days'}>
    <p>
      {isFound
        ? 'No call and no job of yours has this id. Paste all of it; a call in progress has no receipt yet.'
        : `Choose more days${filtered ? ', or clear the filters' : ''}.`}
    </p>
  </Empty>
)

/** A page of calls; with a search the call with that id, or those of the job with it. */
async function loadCalls(filters: UsageFilters, cursor: string | undefined) {
  const api = await dashboardApi()
  const filter = callFilterOf(filters)
  if (filters.group === 'job' && filters.q === undefined)
    return { kind: 'grouped' as const, ...(await api.usage.grouped({ ...filter, limit: PAGE, cursor })) }
  if (filters.q === undefined)
    return { kind: 'calls' as const, ...(await api.usage.list({ ...filter, limit: PAGE, cursor })) }
  const id = filters.q.toLowerCase()
  return { kind: 'calls' as const, ...(await api.usage.find({ id, limit: PAGE, cursor })) }
}
