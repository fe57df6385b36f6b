'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useTRPC } from '../trpc'
import { Credits } from '../ui/amount'
import { DataTable, Head, Row, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import { ScheduleRunBadge } from './labels'
import { scoreText } from './score-text'
import type { ScheduleRuns } from './shape'

const LIVE_MS = 2_000
const IDLE_MS = 15_000
const LIVE: ReadonlySet<string> = new Set(['starting', 'running', 'waiting'])

type Props = { scheduleId: string; first: ScheduleRuns; cursor?: string }

/** What became of a schedule's times, newest first, with links to the jobs. */
export function ScheduleRunTable({ scheduleId, first, cursor }: Props) {
  const { data } = useQuery({
    ...useTRPC().schedules.runs.queryOptions({ scheduleId, cursor }),
    initialData: first,
    refetchInterval: ({ state }) => (state.data?.runs.some((run) => LIVE.has(run.state)) ? LIVE_MS : IDLE_MS),
  })
  const hasChecks = data.runs.some(({ checks }) => checks)
  return (
    <DataTable label="Runs">
      <Head>
        <Th>Due</Th>
        <Th>Outcome</Th>
        <Th wide>Reason</Th>
        <Th>Job</Th>
        {hasChecks && <Th right>Checks passed</Th>}
        <Th right>Credits</Th>
      </Head>
      <tbody>
        {data.runs.map((run) => (
          <Row key={run.dueAt}>
            <Td>
              <TimeAgo at={run.dueAt} />
              {run.manual && <span className="block text-caption text-muted">Run now</span>}
            </Td>
            <Td>
              <ScheduleRunBadge state={run.state} />
              {run.reason && <span className="mt-1 block text-caption wrap-anywhere lg:hidden">{run.reason}</span>}
            </Td>
            <Td wide className="max-w-120 text-muted wrap-anywhere">
              {run.reason}
            </Td>
            <Td>
              {run.jobId && (
                <Link href={`/jobs/${run.jobId}`} className="text-accent underline underline-offset-2">
                  {run.state === 'waiting' ? 'Answer' : 'Open job'}
                </Link>
              )}
            </Td>
            {hasChecks && (
              <Td right className="num whitespace-nowrap">
                {scoreText(run)}
              </Td>
            )}
            <Td right>{run.creditsSpent === null ? '' : <Credits value={run.creditsSpent} />}</Td>
          </Row>
        ))}
      </tbody>
    </DataTable>
  )
}
