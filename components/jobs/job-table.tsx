'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import type { JobList, JobStatus } from '@/server/agent/shape'
import { useTRPC } from '../trpc'
import { Credits } from '../ui/amount'
import { cn } from '../ui/cn'
import { KeyboardRows } from '../ui/keyboard-rows'
import { coversRow, DataTable, Head, Row, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import { JobBadge } from './labels'

type Props = { first: JobList; cursor?: string; status?: JobStatus }

const LIVE_MS = 2_000
const IDLE_MS = 15_000

/** Jobs, newest first, refreshed more often while one of them is running. */
export function JobTable({ first, cursor, status }: Props) {
  const { data } = useQuery({
    ...useTRPC().jobs.list.queryOptions({ cursor, status }),
    initialData: first,
    refetchInterval: ({ state }) => (state.data?.jobs.some((job) => job.status === 'running') ? LIVE_MS : IDLE_MS),
  })
  return (
    <KeyboardRows>
      <DataTable label="Jobs">
        <Head>
          <Th>Job</Th>
          <Th wide>Status</Th>
          <Th wide>Model</Th>
          <Th wide>Mode</Th>
          <Th wide>Created</Th>
          <Th right>Credits</Th>
        </Head>
        <tbody>
          {data.jobs.map((job) => (
            <Row key={job.jobId}>
              <Td className="max-w-80">
                <Link
                  href={`/jobs/${job.jobId}`}
                  data-row-go
                  prefetch={false}
                  className={cn('block max-w-full truncate font-medium focus-visible:outline-none', coversRow)}
                >
                  {job.title}
                </Link>
                <span className="mt-1 block lg:hidden">
                  <JobBadge status={job.status} />
                </span>
              </Td>
              <Td wide>
                <JobBadge status={job.status} />
              </Td>
              <Td wide className="num max-w-56 truncate">
                {job.model}
              </Td>
              <Td wide className="text-muted">
                {job.mode}
              </Td>
              <Td wide className="text-muted">
                <TimeAgo at={job.createdAt} />
              </Td>
              <Td right>
                <Credits value={job.creditsSpent} className={job.creditsSpent === 0 ? 'text-muted' : undefined} />
              </Td>
            </Row>
          ))}
        </tbody>
      </DataTable>
    </KeyboardRows>
  )
}
