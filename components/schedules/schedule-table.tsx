import Link from 'next/link'
import { cn } from '../ui/cn'
import { KeyboardRows } from '../ui/keyboard-rows'
import { coversRow, DataTable, Head, Row, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import { ScheduleBadge, ScheduleRunBadge } from './labels'
import { cronInWords } from './preset'
import type { Schedule } from './shape'
import { formatInZone } from './when'

/** An owner's schedules; a row links to the schedule's page. */
export const ScheduleTable = ({ schedules }: { schedules: Schedule[] }) => (
  <KeyboardRows>
    <DataTable label="Schedules">
      <Head>
        <Th>Schedule</Th>
        <Th wide>When</Th>
        <Th>Next run</Th>
        <Th wide>Last run</Th>
        <Th wide>Key</Th>
      </Head>
      <tbody>
        {schedules.map((schedule) => {
          const { scheduleId, name, cron, timeZone, paused, waiting, nextRuns, lastRun, keyName } = schedule
          const [next] = nextRuns
          return (
            <Row key={scheduleId} className={paused ? 'text-muted' : undefined}>
              <Td className="max-w-56 lg:max-w-80">
                <Link
                  href={`/jobs/schedules/${scheduleId}`}
                  data-row-go
                  prefetch={false}
                  className={cn('block max-w-full truncate font-medium focus-visible:outline-none', coversRow)}
                >
                  <bdi>{name}</bdi>
                </Link>
                <ScheduleBadge paused={paused} waiting={waiting} />
                <span className="block text-caption text-muted lg:hidden">{cronInWords(cron)}</span>
              </Td>
              <Td wide>
                {cronInWords(cron)}
                <span className="block text-caption text-muted">{timeZone}</span>
              </Td>
              <Td>
                {next ? <TimeAgo at={next} /> : 'None'}
                {next && <span className="num block text-caption text-muted">{formatInZone(next, timeZone)}</span>}
              </Td>
              <Td wide>
                {lastRun ? (
                  <>
                    <ScheduleRunBadge state={lastRun.state} /> <TimeAgo at={lastRun.dueAt} className="text-muted" />
                  </>
                ) : (
                  <span className="text-muted">None yet</span>
                )}
              </Td>
              <Td wide className="max-w-48 truncate text-muted">
                <bdi>{keyName}</bdi>
              </Td>
            </Row>
          )
        })}
      </tbody>
    </DataTable>
  </KeyboardRows>
)
