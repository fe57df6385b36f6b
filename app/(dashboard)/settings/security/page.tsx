import type { Metadata } from 'next'
import { SecondFactorSettings } from '@/components/security/second-factor-settings'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Security' }

export default async function SecurityPage() {
  const overview = await (await dashboardApi()).security.overview()
  return (
    <div className="grid gap-6">
      <p className="max-w-prose text-muted">
        With a second factor, your password alone signs nobody in. Sensitive acts ask for one of them again after ten
        minutes.
      </p>
      <SecondFactorSettings of={overview} />
    </div>
  )
}
