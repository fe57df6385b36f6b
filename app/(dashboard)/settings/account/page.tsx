import type { Metadata } from 'next'
import { DeleteAccount } from '@/components/settings/delete-account'
import { EmailForm } from '@/components/settings/email-form'
import { ExportAccount } from '@/components/settings/export-account'
import { NameForm } from '@/components/settings/name-form'
import { PasswordForm } from '@/components/settings/password-form'
import { RequestLogSwitch } from '@/components/settings/request-log-switch'
import { Section } from '@/components/ui/page'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Account' }

export default async function AccountPage() {
  const api = await dashboardApi()
  const [{ email, name, hasPassword, confirmsEmail }, me, deletion] = await Promise.all([
    api.account.profile(),
    api.account.me(),
    api.account.deletion(),
  ])
  const may = me.account?.may ?? []
  const requestLog = may.includes('admin') ? await api.settings.requestLog() : null
  return (
    <div className="grid max-w-[760px] gap-8">
      <Section title="Name">
        <NameForm name={name} />
      </Section>
      <Section title="E-mail address">
        <EmailForm email={email} confirmsEmail={confirmsEmail} />
      </Section>
      <Section title="Password">
        <PasswordForm email={email} hasPassword={hasPassword} />
      </Section>
      {requestLog && (requestLog.isOffered || requestLog.isOn) && (
        <Section title="Request log">
          <RequestLogSwitch first={requestLog} />
        </Section>
      )}
      {may.includes('owner') && (
        <Section title="Export data">
          <ExportAccount />
        </Section>
      )}
      <Section title={deletion.own && !deletion.own.stays ? 'Delete account' : 'Delete your sign-in'}>
        <DeleteAccount email={email} hasPassword={hasPassword} deletion={deletion} />
      </Section>
    </div>
  )
}
