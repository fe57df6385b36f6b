import { Plus } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { ScheduleTable } from '@/components/schedules/schedule-table'
import { May } from '@/components/shell/role'
import { ButtonLink } from '@/components/ui/button'
import { CopyBox } from '@/components/ui/copy'
import { Empty, Title } from '@/components/ui/page'
import { Pager } from '@/components/ui/pager'
import { nullIfRefused } from '../../../../or-not-found'
import { dashboardApi } from '../../../dashboard-api'

export const metadata: Metadata = { title: 'Schedules' }

const callOf = (baseUrl: string) => `curl -s ${baseUrl}/api/v1/agent/schedules \\
  -H "Authorization: Bearer $TOLLGATE_KEY" -H "Content-Type: application/json" \\
  -d '{"cron": "0 9 * * 1-5", "timeZone": "Europe/Berlin", "goal": "What does bitcoin cost?"}'`

export default async function SchedulesPage({ searchParams }: { searchParams: Promise<{ cursor?: string }> }) {
  const { cursor } = await searchParams
  const api = await dashboardApi()
  const [list, me] = await Promise.all([
    nullIfRefused(api.schedules.list({ cursor: cursor === undefined ? undefined : String(cursor) }), 'invalid_request'),
    api.account.me(),
  ])
  if (!list) redirect('/jobs/schedules')
  const { schedules, nextCursor } = list
  return (
    <>
      <Title
        title="Schedules"
        note={
          <>
            Agent runs that start at set times, each under a key&apos;s limits. What they did is under{' '}
            <Link href="/jobs" className="text-accent underline underline-offset-2">
              Jobs
            </Link>
            .
          </>
        }
        action={
          <May to="schedules.create">
            <ButtonLink href="/jobs/schedules/new" kind="primary">
              <Plus className="size-4" aria-hidden />
              New schedule
            </ButtonLink>
          </May>
        }
      />
      {schedules.length === 0 ? (
        <Empty title="No schedules yet">
          <p>Schedules appear here with their next and last run. Create one above, or with a key:</p>
          <CopyBox label="Make a schedule with curl" code={callOf(me.baseUrl)} />
        </Empty>
      ) : (
        <ScheduleTable schedules={schedules} />
      )}
      <Pager
        older={nextCursor && `/jobs/schedules?cursor=${encodeURIComponent(nextCursor)}`}
        newest={cursor ? '/jobs/schedules' : null}
      />
    </>
  )
}
