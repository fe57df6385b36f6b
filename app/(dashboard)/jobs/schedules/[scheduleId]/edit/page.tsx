import type { Metadata } from 'next'
import { ScheduleForm } from '@/components/schedules/schedule-form'
import { Title } from '@/components/ui/page'
import { dashboardApi } from '../../../../dashboard-api'
import { loadSchedule } from '../../../../load'
import { loadScheduleOptions } from '../../form-options'

export const metadata: Metadata = { title: 'Edit schedule' }

export default async function EditSchedulePage({ params }: { params: Promise<{ scheduleId: string }> }) {
  const schedule = await loadSchedule((await params).scheduleId)
  const options = await loadScheduleOptions(await dashboardApi(), schedule.keyId)
  // A time zone of the API may have another name here.
  const timeZones = [...new Set([schedule.timeZone, ...options.timeZones])]
  return (
    <>
      <Title title="Edit schedule" note="The next runs start as you save it here; a run in progress is not changed." />
      <ScheduleForm {...options} timeZones={timeZones} of={schedule} />
    </>
  )
}
