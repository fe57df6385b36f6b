'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import { useTRPC } from '../trpc'
import { Credits } from '../ui/amount'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'
import { formatDuration } from '../ui/format-time'
import { KeyboardRows } from '../ui/keyboard-rows'
import { SortLink } from '../ui/sort-link'
import { coversRow, DataTable, Head, Row, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import { Elapsed } from './elapsed'
import { JobBadge } from './labels'
import type { ListedFilter, ListedJob } from './shape'

type Props = {
  first: ListedJob[]
  filter: ListedFilter
  /** Of the newest jobs: newer ones are counted. */
  isNewest: boolean
}

const LIVE_MS = 2_000
const IDLE_MS = 15_000
/** What the service counts at most. */
const MAX_NEWER = 100

/** Newer jobs wait above the list until they are asked for: they would move its rows. */
function NewerJobs({ count }: { count: number }) {
  const router = useRouter()
  const [busy, start] = useTransition()
  if (count === 0) return null
  return (
    <div role="status" className="mb-2">
      <Button size="small" busy={busy} onClick={() => start(() => router.refresh())}>
        Show {count >= MAX_NEWER ? `${MAX_NEWER} or more` : count} newer {count === 1 ? 'job' : 'jobs'}
      </Button>
    </div>
  )
}

const Duration = ({ job: { status, workedMs, runningSince } }: { job: ListedJob }) => {
  if (status === 'running' && runningSince) return <Elapsed since={runningSince} />
  return <span className="num whitespace-nowrap text-muted">{workedMs > 0 ? formatDuration(workedMs) : ''}</span>
}

const JobTableRow = ({ job }: { job: ListedJob }) => (
  <Row>
    <Td className="w-full max-w-0 min-w-44">
      <Link
        href={`/jobs/${job.jobId}`}
        data-row-go
        prefetch={false}
        className={cn('block max-w-full truncate font-medium focus-visible:outline-none', coversRow)}
      >
        {job.title}
      </Link>
      <span className="mt-1 flex flex-wrap items-center gap-x-2 text-caption text-muted lg:hidden">
        <JobBadge status={job.status} /> <TimeAgo at={job.createdAt} />
      </span>
    </Td>
    <Td wide>
      <JobBadge status={job.status} />
    </Td>
    <Td wide className="max-w-44">
      <Link
        href={`/keys/${job.keyId}`}
        prefetch={false}
        className="relative z-[1] inline-block max-w-full truncate py-0.5 align-middle hover:underline"
      >
        {job.keyName}
      </Link>
    </Td>
    <Td wide className="num max-w-52 truncate text-muted">
      {job.model}
    </Td>
    <Td wide className="text-muted">
      <TimeAgo at={job.createdAt} />
    </Td>
    <Td wide right>
      <Duration job={job} />
    </Td>
    <Td right>
      <Credits value={job.creditsSpent} className={job.creditsSpent === 0 ? 'text-muted' : undefined} />
    </Td>
  </Row>
)

/**
 * A page of jobs, kept up to date in place: its rows stay where they are, also once they no longer
 * match the filter.
 */
export function JobTable({ first, filter, isNewest }: Props) {
  const ids = first.map(({ jobId }) => jobId)
  const since = isNewest ? (first[0]?.createdAt ?? undefined) : undefined
  const { data } = useQuery({
    ...useTRPC().jobs.listed.queryOptions({ ...filter, ids, since }),
    initialData: { jobs: first, newer: 0 },
    refetchInterval: ({ state }) => (state.data?.jobs.some((job) => job.status === 'running') ? LIVE_MS : IDLE_MS),
  })
  const now = new Map(data.jobs.map((job) => [job.jobId, job]))
  return (
    <KeyboardRows>
      <NewerJobs count={data.newer} />
      <DataTable label="Jobs">
        <Head>
          <Th>Job</Th>
          <Th wide>Status</Th>
          <Th wide>Key</Th>
          <Th wide>Model</Th>
          <SortLink column="created" initial="desc" wide>
            Started
          </SortLink>
          <SortLink column="duration" wide right>
            Duration
          </SortLink>
          <SortLink column="credits" right>
            Credits
          </SortLink>
        </Head>
        <tbody>
          {first.map((job) => (
            <JobTableRow key={job.jobId} job={now.get(job.jobId) ?? job} />
          ))}
        </tbody>
      </DataTable>
    </KeyboardRows>
  )
}
