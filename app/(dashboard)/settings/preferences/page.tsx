import type { Metadata } from 'next'
import { FirstStepsSetting } from '@/components/overview/hide-first-steps'
import { ConfirmAboveForm } from '@/components/price/confirm-above-form'
import { TimeZoneForm } from '@/components/settings/time-zone-form'
import { Section } from '@/components/ui/page'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Preferences' }

/** The names of time zones, as this runtime has them. */
const timeZones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

export default async function PreferencesPage() {
  const api = await dashboardApi()
  const [timeZone, confirmAbove, first] = await Promise.all([
    api.account.timeZone(),
    api.settings.confirmAbove(),
    api.welcome.steps(),
  ])
  return (
    <div className="grid max-w-[760px] gap-8">
      <Section title="Time zone">
        <TimeZoneForm key={timeZone} saved={timeZone} zones={timeZones()} />
      </Section>
      <Section title="Spending">
        <ConfirmAboveForm key={confirmAbove} confirmAbove={confirmAbove} />
      </Section>
      <Section title="First steps">
        <FirstStepsSetting isHidden={first.isHidden} />
      </Section>
    </div>
  )
}
