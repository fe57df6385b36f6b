import type { Metadata } from 'next'
import { AgentChoices } from '@/components/settings/agent-choices'
import { ChangePassword } from '@/components/settings/change-password'
import { ConnectedDatabase } from '@/components/settings/connected-database'
import { Facts, Section, Title } from '@/components/ui/page'
import { ownerApi } from '../owner-api'

export const metadata: Metadata = { title: 'Settings' }

export default async function SettingsPage() {
  const api = await ownerApi()
  const [settings, { groups, models }, me] = await Promise.all([
    api.settings.get(),
    api.settings.choices(),
    api.account.me(),
  ])
  return (
    <div className="max-w-[760px]">
      <Title title="Settings" note="What agent runs of all your keys begin with, and what they may use." />
      <div className="grid gap-8">
        <AgentChoices settings={settings} groups={groups} models={models} />
        <Section title="Connected database">
          <ConnectedDatabase label={settings.databaseLabel} canConnect={settings.canConnect} />
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
          <ChangePassword email={me.email} />
        </Section>
      </div>
    </div>
  )
}
