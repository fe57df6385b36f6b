import type { Metadata } from 'next'
import { ScheduleForm } from '@/components/schedules/schedule-form'
import { Title } from '@/components/ui/page'
import { dashboardApi } from '../../../dashboard-api'
import { loadScheduleOptions } from '../form-options'

export const metadata: Metadata = { title: 'New schedule' }

export default async function NewSchedulePage() {
  return (
    <>
      <Title title="New schedule" note="An agent works on the same goal again and again, each time as a new job." />
      <ScheduleForm {...(await loadScheduleOptions(await dashboardApi()))} />
    </>
  )
}
