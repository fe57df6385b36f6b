import { Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { Examples } from '@/components/jobs/examples'
import { JobFilters } from '@/components/jobs/job-filters'
import { JOB_RANGE_PRESETS } from '@/components/jobs/job-range'
import { JobTable } from '@/components/jobs/job-table'
import { JobTotalsLine } from '@/components/jobs/job-totals'
import { parseJobSearch } from '@/components/jobs/parse-job-search'
import { JobStatusFilter } from '@/components/jobs/status-filter'
import { May } from '@/components/shell/role'
import { ButtonLink } from '@/components/ui/button'
import { CopyBox } from '@/components/ui/copy'
import { type ListSearchParams, listAt, textParams } from '@/components/ui/list-url'
import { Empty, Section, Title } from '@/components/ui/page'
import { Pager } from '@/components/ui/pager'
import { RangeBar } from '@/components/ui/range-bar'
import { nullIfRefused } from '../../../or-not-found'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Jobs' }

type Search = Promise<ListSearchParams>

/** Rows per page. */
const LIMIT = 50

const callOf = (baseUrl: string) => `curl -s ${baseUrl}/api/v1/agent \\
  -H "Authorization: Bearer $TOLLGATE_KEY" -H "Content-Type: application/json" \\
  -d '{"goal": "What does bitcoin cost?", "idempotencyKey": "first-run"}'`

export default async function JobsPage({ searchParams }: { searchParams: Search }) {
  const search = await searchParams
  const api = await dashboardApi()
  const [me, timeZone] = await Promise.all([api.account.me(), api.account.timeZone()])
  const { query, range } = parseJobSearch(search, timeZone)
  const { sort, order, cursor, ...filter } = query
  const [list, totals] = await Promise.all([
    nullIfRefused(api.jobs.list({ ...query, limit: LIMIT }), 'invalid_request'),
    api.jobs.totals(filter),
  ])
  const params = new URLSearchParams(textParams(search))
  if (!list) redirect(listAt('/jobs', search, null))
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const isNew = totals.jobs === 0 && !isFiltered
  const examples = isNew ? ((await nullIfRefused(api.examples.list(), 'forbidden')) ?? []) : []
  const isNewest = sort === 'created' && order === 'desc' && cursor === undefined
  return (
    <>
      <Title
        title="Jobs"
        note="Agent runs of all your keys. Runs that wait for you are highlighted."
        action={
          <>
            <ButtonLink href="/jobs/schedules">Schedules</ButtonLink>
            <May to="jobs.start">
              <ButtonLink href="/jobs/new" kind="primary">
                <Plus className="size-4" aria-hidden />
                New run
              </ButtonLink>
            </May>
          </>
        }
      />
      {isNew ? (
        <div className="grid max-w-[1200px] gap-6">
          <Empty title="No jobs yet">
            <p>
              Agent runs appear here live, with each step and what it cost.{' '}
              {examples.length > 0
                ? 'Start one of the examples, your own with New run, or one with a key:'
                : 'Start one here or with a key:'}
            </p>
            <CopyBox label="Start a run with curl" code={callOf(me.baseUrl)} />
          </Empty>
          {examples.length > 0 && (
            <Section title="Example goals">
              <Examples examples={examples} />
            </Section>
          )}
        </div>
      ) : (
        <>
          <RangeBar
            presets={JOB_RANGE_PRESETS}
            now={range ?? (filter.from || filter.to ? undefined : null)}
            from={range ? undefined : filter.from}
            to={filter.to}
            timeZone={timeZone}
          />
          <JobFilters>
            <JobStatusFilter
              status={filter.status}
              counts={new Map(totals.byStatus.map(({ status, jobs }) => [status, jobs]))}
              search={params}
            />
          </JobFilters>
          <JobTotalsLine jobs={totals.jobs} credits={totals.credits} rate={me.creditsPerUsd} />
          {list.jobs.length === 0 ? (
            <Empty title="No matching jobs">
              <p>
                The search finds jobs whose goals have words that begin as yours do, and ids by their first 8 characters
                or more. Other filters may show more.
              </p>
            </Empty>
          ) : (
            <JobTable first={list.jobs} filter={filter} isNewest={isNewest} />
          )}
        </>
      )}
      <Pager
        older={list.nextCursor && listAt('/jobs', search, list.nextCursor)}
        newest={cursor ? listAt('/jobs', search, null) : null}
      />
    </>
  )
}
