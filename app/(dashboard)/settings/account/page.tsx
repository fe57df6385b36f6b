import type { Metadata } from 'next'
import { PasswordForm } from '@/components/settings/password-form'
import { Facts, Section } from '@/components/ui/page'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Account' }

export default async function AccountPage() {
  const api = await dashboardApi()
  const me = await api.account.me()
  return (
    <div className="grid max-w-[760px] gap-8">
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
  )
}
