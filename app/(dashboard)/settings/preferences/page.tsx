import type { Metadata } from 'next'
import { hasFirstSteps } from '@/components/overview/first-steps'
import { FirstStepsSetting } from '@/components/overview/hide-first-steps'
import { ConfirmAboveForm } from '@/components/price/confirm-above-form'
import { TimeZoneForm } from '@/components/settings/time-zone-form'
import { ForRole } from '@/components/shell/role'
import { Section } from '@/components/ui/page'
import { nullIfRefused } from '../../../or-not-found'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Preferences' }

/** The names of time zones, as this runtime has them. */
const timeZones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

export default async function PreferencesPage() {
  const api = await dashboardApi()
  const [timeZone, confirmAbove, first] = await Promise.all([
    api.account.timeZone(),
    api.settings.confirmAbove(),
    nullIfRefused(api.welcome.steps(), 'forbidden'),
  ])
  return (
    <div className="grid max-w-[760px] gap-8">
      <Section title="Time zone">
        <ForRole to="account.setTimeZone" what="Changing the time zone">
          <TimeZoneForm key={timeZone} saved={timeZone} zones={timeZones()} />
        </ForRole>
      </Section>
      <Section title="Spending">
        <ForRole to="settings.setConfirmAbove" what="Changing when pages ask">
          <ConfirmAboveForm key={confirmAbove} confirmAbove={confirmAbove} />
        </ForRole>
      </Section>
      {first && hasFirstSteps(first) && (
        <Section title="First steps">
          <FirstStepsSetting isHidden={first.isHidden} />
        </Section>
      )}
    </div>
  )
}
