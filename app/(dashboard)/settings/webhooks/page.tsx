import type { Metadata } from 'next'
import { WebhookSecret } from '@/components/settings/webhook-secret'
import { Section } from '@/components/ui/page'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Webhook settings' }

export default async function WebhookSettingsPage() {
  const api = await dashboardApi()
  return (
    <Section title="Signing secret" className="max-w-[760px]">
      <WebhookSecret first={await api.settings.webhookSecret()} />
    </Section>
  )
}
