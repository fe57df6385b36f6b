import type { Metadata } from 'next'
import Link from 'next/link'
import { ScheduleBadge } from '@/components/schedules/labels'
import { cronInWords } from '@/components/schedules/preset'
import { ProposedPermissions, WaitingRun } from '@/components/schedules/proposed'
import { ScheduleRunTable } from '@/components/schedules/run-table'
import { ScheduleActions } from '@/components/schedules/schedule-actions'
import { ScheduleFacts, WhyPaused } from '@/components/schedules/schedule-facts'
import { ScheduleScores } from '@/components/schedules/scores'
import { NextTimes } from '@/components/schedules/when'
import { ScheduleNotesForm } from '@/components/settings/notes-form'
import { ForRole, May } from '@/components/shell/role'
import { Empty, Section, Title } from '@/components/ui/page'
import { Pager } from '@/components/ui/pager'
import { nullIfRefused } from '../../../../or-not-found'
import { dashboardApi } from '../../../dashboard-api'
import { loadSchedule } from '../../../load'

export const metadata: Metadata = { title: 'Schedule' }

type Props = { params: Promise<{ scheduleId: string }>; searchParams: Promise<{ cursor?: string }> }

export default async function SchedulePage({ params, searchParams }: Props) {
  const [{ scheduleId }, { cursor: given }] = await Promise.all([params, searchParams])
  const cursor = given === undefined ? undefined : String(given)
  const api = await dashboardApi()
  const [schedule, options] = await Promise.all([loadSchedule(scheduleId), api.keys.options()])
  const list = await nullIfRefused(api.schedules.runs({ scheduleId, cursor }), 'invalid_request')
  const { runs, nextCursor } = list ?? { runs: [], nextCursor: null }
  const here = `/jobs/schedules/${scheduleId}`
  return (
    <div className="max-w-[1200px]">
      <Title
        title={
          <span className="flex flex-wrap items-center gap-2.5">
            <bdi className="min-w-0 wrap-anywhere">{schedule.name}</bdi>{' '}
            <ScheduleBadge paused={schedule.paused} waiting={schedule.waiting} />
          </span>
        }
        note={
          <>
            {cronInWords(schedule.cron)}, {schedule.timeZone}. One of your{' '}
            <Link href="/jobs/schedules" className="text-accent underline underline-offset-2">
              schedules
            </Link>
            .
          </>
        }
      />
      <div className="mb-6 grid max-w-[720px] gap-4">
        <WhyPaused paused={schedule.paused} />
        <WaitingRun waiting={schedule.waiting} />
        <May to="schedules.change">
          <ScheduleActions of={schedule} />
          <ProposedPermissions of={schedule} />
        </May>
      </div>
      <div className="grid items-start gap-x-6 gap-y-6 lg:grid-cols-[2fr_1fr]">
        <Section title="Each run">
          <ScheduleFacts of={schedule} capabilities={options.capabilities} />
        </Section>
        <Section title={`Next five times, ${schedule.timeZone}`}>
          {schedule.paused ? (
            <p className="text-muted">None while it is paused.</p>
          ) : (
            <NextTimes times={schedule.nextRuns} timeZone={schedule.timeZone} />
          )}
        </Section>
        {schedule.memory !== false && (
          <div id="notes" className="lg:col-span-2">
            <Section title="Notes">
              <ForRole to="schedules.change" what="change notes">
                <ScheduleNotesForm {...schedule} key={schedule.notes} />
              </ForRole>
            </Section>
          </div>
        )}
        <Section title="Last runs" className="lg:col-span-2">
          {list && runs.length > 0 ? (
            <>
              <ScheduleScores runs={runs} timeZone={schedule.timeZone} />
              <ScheduleRunTable key={cursor} scheduleId={scheduleId} first={list} cursor={cursor} />
            </>
          ) : (
            <Empty title="No runs yet">
              <p>Each time it is due appears here, with what became of it and a link to its job.</p>
            </Empty>
          )}
          <Pager
            older={nextCursor && `${here}?cursor=${encodeURIComponent(nextCursor)}`}
            newest={cursor ? here : null}
          />
        </Section>
      </div>
    </div>
  )
}
