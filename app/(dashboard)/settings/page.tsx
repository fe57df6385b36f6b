import type { Metadata } from 'next'
import { FirstStepsSetting } from '@/components/overview/hide-first-steps'
import { AgentSettingsForm } from '@/components/settings/agent-settings-form'
import { ConnectedDatabase } from '@/components/settings/connected-database'
import { PasswordForm } from '@/components/settings/password-form'
import { WebhookSecret } from '@/components/settings/webhook-secret'
import { Facts, Section, Title } from '@/components/ui/page'
import { dashboardApi } from '../dashboard-api'

export const metadata: Metadata = { title: 'Settings' }

export default async function SettingsPage() {
  const api = await dashboardApi()
  const [settings, { groups, models }, secret, me, first] = await Promise.all([
    api.settings.get(),
    api.settings.choices(),
    api.settings.webhookSecret(),
    api.account.me(),
    api.welcome.steps(),
  ])
  return (
    <div className="max-w-[760px]">
      <Title title="Settings" note="Defaults for the agent runs of all your keys, and your account." />
      <div className="grid gap-8">
        <AgentSettingsForm settings={settings} groups={groups} models={models} />
        <Section title="Connected database">
          <ConnectedDatabase label={settings.databaseLabel} canConnect={settings.canConnect} />
        </Section>
        <Section title="Webhooks">
          <WebhookSecret first={secret} />
        </Section>
        <Section title="First steps">
          <FirstStepsSetting isHidden={first.isHidden} />
        </Section>
        <Section title="Account">
          <Facts
            rows={[
              ['E-mail', me.email],
              ['Role', me.isAdmin ? 'Administrator' : 'Owner'],
            ]}
          />
        </Section>
        <Section title="Password">
          <PasswordForm email={me.email} />
        </Section>
      </div>
    </div>
  )
}
