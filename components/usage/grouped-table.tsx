'use client'

import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { ChevronRight } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import type { AppRouter } from '@/server/api/router'
import type { CallFilter, CallReceipt } from '@/server/credits/shape'
import { useTRPC } from '../trpc'
import { Credits, formatCredits } from '../ui/amount'
import { cn } from '../ui/cn'
import { KeyboardRows } from '../ui/keyboard-rows'
import { coversRow, DataTable, Row, Td } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import { CallRow } from './call-row'
import { ReceiptHead } from './receipt-table'
import { useShownReceipt } from './use-shown-receipt'

/** A row of the calls grouped by job: a call, or all calls of a job. */
type GroupedRow = inferRouterOutputs<AppRouter>['usage']['grouped']['rows'][number]

type JobCalls = NonNullable<GroupedRow['job']>

/** Steps of a job that are listed below its row; all of them are one link away. */
const MAX_STEPS = 100

type StepsProps = {
  of: JobCalls
  filter: CallFilter
  shown: CallReceipt | null
  onShow: (receipt: CallReceipt) => void
}

function JobSteps({ of, filter, shown, onShow }: StepsProps) {
  const { data, isError } = useQuery(
    useTRPC().usage.list.queryOptions(
      { ...filter, jobId: of.jobId, limit: MAX_STEPS },
      { refetchOnWindowFocus: false },
    ),
  )
  if (!data)
    return (
      <tr className="border-b">
        <Td colSpan={6} className="pl-8 text-muted">
          {isError ? 'The calls did not load. Close the row and open it again.' : 'Loading the calls…'}
        </Td>
      </tr>
    )
  return (
    <>
      {data.rows.map((row) => (
        <CallRow
          key={row.requestId}
          of={row}
          isStep
          isShown={shown?.requestId === row.requestId}
          onShow={() => onShow(row)}
        />
      ))}
      {data.nextCursor && (
        <tr className="border-b">
          <Td colSpan={6} className="pl-8">
            <Link href={`/usage?job=${of.jobId}`} className="text-accent underline underline-offset-2">
              All {formatCredits(of.calls)} calls of this job
            </Link>
          </Td>
        </tr>
      )}
    </>
  )
}

const JobRow = ({ of, at, isOpen, onToggle }: { of: JobCalls; at: string; isOpen: boolean; onToggle: () => void }) => (
  <Row>
    <Td className="text-muted">
      <TimeAgo at={at} />
    </Td>
    <Td className="max-w-72">
      <button
        type="button"
        data-row-go
        aria-expanded={isOpen}
        onClick={onToggle}
        className={cn('flex max-w-full items-center gap-1 text-left focus-visible:outline-none', coversRow)}
      >
        <ChevronRight className={cn('size-4 shrink-0 text-muted', isOpen && 'rotate-90')} aria-hidden />
        <span className="truncate">{of.title}</span>
      </button>
    </Td>
    <Td wide className="text-muted">
      Job
    </Td>
    <Td wide className="text-muted">
      {formatCredits(of.calls)} {of.calls === 1 ? 'call' : 'calls'}
      {of.failed > 0 && `, ${formatCredits(of.failed)} failed`}
    </Td>
    <Td wide right>
      <Link href={`/jobs/${of.jobId}`} className="relative z-10 text-accent underline underline-offset-2">
        Open the job
      </Link>
    </Td>
    <Td right>
      <Credits value={of.charged} />
    </Td>
  </Row>
)

type Props = { rows: GroupedRow[]; filter: CallFilter; creditsPerUsd: number; opened: CallReceipt | null }

/**
 * Calls, newest first. Those of an agent job are one row with their sum, which opens to them.
 */
export function GroupedReceiptTable({ rows, filter, creditsPerUsd, opened }: Props) {
  const [open, setOpen] = useState<readonly string[]>([])
  const calls = rows.filter(({ job }) => job === null).map(({ receipt }) => receipt)
  const { shown, show, panel } = useShownReceipt(calls, opened, creditsPerUsd)
  const toggle = (jobId: string) =>
    setOpen((now) => (now.includes(jobId) ? now.filter((id) => id !== jobId) : [...now, jobId]))
  return (
    <KeyboardRows>
      <DataTable label="Calls by job">
        <ReceiptHead />
        {rows.map(({ job, receipt }) => (
          <tbody key={receipt.requestId}>
            {job === null ? (
              <CallRow of={receipt} onShow={() => show(receipt)} isShown={shown?.requestId === receipt.requestId} />
            ) : (
              <>
                <JobRow of={job} at={receipt.at} isOpen={open.includes(job.jobId)} onToggle={() => toggle(job.jobId)} />
                {open.includes(job.jobId) && <JobSteps of={job} filter={filter} shown={shown} onShow={show} />}
              </>
            )}
          </tbody>
        ))}
      </DataTable>
      {panel}
    </KeyboardRows>
  )
}
