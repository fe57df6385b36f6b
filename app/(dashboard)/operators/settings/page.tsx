import type { Metadata } from 'next'
import { SettingsAct } from '@/components/operators/settings-act'
import { SettingsAttemptTable } from '@/components/operators/settings-attempt-table'
import { SettingsProcessTable } from '@/components/operators/settings-process-table'
import { Empty, Notice, Section, Title } from '@/components/ui/page'
import { operatorsApi } from '../operators-api'

export const metadata: Metadata = { title: 'Settings of the service' }

export default async function OperatorSettingsPage() {
  const { processes, attempts } = await (await operatorsApi()).settings.get()
  const serving = processes.filter(({ isLeaving }) => !isLeaving)
  const versions = new Set(serving.map(({ settings }) => settings))
  const canRead = serving.filter(({ launcher }) => launcher)
  const [last] = attempts
  return (
    <>
      <Title
        title="Settings of the service"
        note="What web and worker processes read from their files: models, prices, keys of providers, limits."
      />
      <div className="grid gap-8">
        {versions.size > 1 && (
          <Notice tone="warn">
            The processes do not all have the same settings: their files differ, or some have not read them again.
          </Notice>
        )}
        {last?.isRefused && (
          <Notice tone="bad">
            {last.process} refused the settings it read last and keeps the ones before: {last.problem}
          </Notice>
        )}
        {canRead.length > 0 ? (
          <SettingsAct count={canRead.length} />
        ) : (
          <p className="text-muted">No process here can read its settings again: restart them instead.</p>
        )}
        <Section title="Processes">
          {processes.length > 0 ? (
            <SettingsProcessTable rows={processes} />
          ) : (
            <p className="text-muted">No process has said yet which settings it has.</p>
          )}
        </Section>
        <Section title="Attempts">
          {attempts.length > 0 ? (
            <SettingsAttemptTable rows={attempts} />
          ) : (
            <Empty title="No attempts yet">
              <p>
                Each time that settings are read again, what has changed appears here, by its name, or why they were
                refused. <span className="num">npm run admin -- settings check</span> says beforehand whether the files
                are valid.
              </p>
            </Empty>
          )}
        </Section>
      </div>
    </>
  )
}
