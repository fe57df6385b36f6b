import type { ReactNode } from 'react'
import { loadSchedule } from '../../../load'

type Props = { params: Promise<{ scheduleId: string }>; children: ReactNode }

/** Loads the schedule before anything is sent: a page that streams can no longer be a 404. */
export default async function ScheduleLayout({ params, children }: Props) {
  await loadSchedule((await params).scheduleId)
  return children
}
