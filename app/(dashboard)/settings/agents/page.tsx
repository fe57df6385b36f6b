import type { Metadata } from 'next'
import { AgentSettingsForm } from '@/components/settings/agent-settings-form'
import { ConnectedDatabase } from '@/components/settings/connected-database'
import { Section } from '@/components/ui/page'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Agent settings' }

export default async function AgentSettingsPage() {
  const api = await dashboardApi()
  const [settings, { groups, models }] = await Promise.all([api.settings.get(), api.settings.choices()])
  return (
    <div className="grid max-w-[760px] gap-8">
      <AgentSettingsForm settings={settings} groups={groups} models={models} />
      <Section title="Connected database">
        <ConnectedDatabase label={settings.databaseLabel} canConnect={settings.canConnect} />
      </Section>
    </div>
  )
}
