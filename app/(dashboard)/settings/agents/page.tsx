import type { Metadata } from 'next'
import { AgentSettingsForm } from '@/components/settings/agent-settings-form'
import { ConnectedDatabase } from '@/components/settings/connected-database'
import { OwnerNotesForm } from '@/components/settings/notes-form'
import { ForRole } from '@/components/shell/role'
import { Section } from '@/components/ui/page'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Agent settings' }

export default async function AgentSettingsPage() {
  const api = await dashboardApi()
  const [settings, { groups, models }, notes] = await Promise.all([
    api.settings.get(),
    api.settings.choices(),
    api.settings.notes(),
  ])
  return (
    <div className="grid max-w-[760px] gap-8">
      <AgentSettingsForm settings={settings} groups={groups} models={models} />
      <div id="notes">
        <Section title="Notes">
          <ForRole to="settings.saveNotes" what="change notes">
            <OwnerNotesForm {...notes} />
          </ForRole>
        </Section>
      </div>
      <Section title="Connected database">
        <ConnectedDatabase label={settings.databaseLabel} canConnect={settings.canConnect} />
      </Section>
    </div>
  )
}
