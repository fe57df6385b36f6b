import type { Metadata } from 'next'
import { IssuerLinkSettings } from '@/components/security/issuer-link'
import { SecondFactorSettings } from '@/components/security/second-factor-settings'
import { Section } from '@/components/ui/page'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Security' }

export default async function SecurityPage() {
  const api = await dashboardApi()
  const [overview, link] = await Promise.all([api.security.overview(), api.issuer.link()])
  return (
    <div className="grid gap-6">
      <p className="max-w-prose text-muted">
        With a second factor, your password alone signs nobody in. Sensitive acts ask for one of them again after ten
        minutes.
      </p>
      <SecondFactorSettings of={overview} />
      {link && (
        <Section title={`Sign-in with ${link.name}`}>
          <IssuerLinkSettings of={link} />
        </Section>
      )}
    </div>
  )
}
