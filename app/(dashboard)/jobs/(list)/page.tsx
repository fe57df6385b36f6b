import { Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { Examples } from '@/components/jobs/examples'
import { JobTable } from '@/components/jobs/job-table'
import { JOB_STATUSES } from '@/components/jobs/labels'
import { JobStatusFilter } from '@/components/jobs/status-filter'
import { ButtonLink } from '@/components/ui/button'
import { CopyBox } from '@/components/ui/copy'
import { Empty, Section, Title } from '@/components/ui/page'
import { Pager } from '@/components/ui/pager'
import { nullIfRefused } from '../../../or-not-found'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Jobs' }

type Search = Promise<Record<string, string | string[] | undefined>>

const one = (value: string | string[] | undefined) => (typeof value === 'string' ? value : undefined)

const callOf = (baseUrl: string) => `curl -s ${baseUrl}/api/v1/agent \\
  -H "Authorization: Bearer $TOLLGATE_KEY" -H "Content-Type: application/json" \\
  -d '{"goal": "What does bitcoin cost?", "idempotencyKey": "first-run"}'`

export default async function JobsPage({ searchParams }: { searchParams: Search }) {
  const search = await searchParams
  const status = JOB_STATUSES.find(({ id }) => id === one(search.status))?.id
  const cursor = one(search.cursor)
  const api = await dashboardApi()
  const [list, me] = await Promise.all([
    nullIfRefused(api.jobs.list({ status, cursor }), 'invalid_request'),
    api.account.me(),
  ])
  if (!list) redirect('/jobs')
  const isNew = list.jobs.length === 0 && !status && !cursor
  const examples = isNew ? await api.examples.list() : []
  const filter = status ? `status=${status}&` : ''
  return (
    <>
      <Title
        title="Jobs"
        note="Agent runs of all your keys, newest first. Runs that wait for you are highlighted."
        action={
          <>
            <ButtonLink href="/jobs/schedules">Schedules</ButtonLink>
            <ButtonLink href="/jobs/new" kind="primary">
              <Plus className="size-4" aria-hidden />
              New run
            </ButtonLink>
          </>
        }
      />
      <JobStatusFilter status={status} />
      {list.jobs.length === 0 ? (
        <div className="grid max-w-[1200px] gap-6">
          <Empty title={status ? 'No matching jobs' : 'No jobs yet'}>
            <p>
              {status
                ? 'Jobs with another status are listed under All.'
                : `Agent runs appear here live, with each step and what it cost. ${examples.length > 0 ? 'Start one of the examples, your own with New run, or one with a key:' : 'Start one here or with a key:'}`}
            </p>
            {!status && <CopyBox label="Start a run with curl" code={callOf(me.baseUrl)} />}
          </Empty>
          {examples.length > 0 && (
            <Section title="Example goals">
              <Examples examples={examples} />
            </Section>
          )}
        </div>
      ) : (
        <JobTable key={`${status}${cursor}`} first={list} cursor={cursor} status={status} />
      )}
      <Pager
        older={list.nextCursor && `/jobs?${filter}cursor=${encodeURIComponent(list.nextCursor)}`}
        newest={cursor ? `/jobs${status ? `?status=${status}` : ''}` : null}
      />
    </>
  )
}
