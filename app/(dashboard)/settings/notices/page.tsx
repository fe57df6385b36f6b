import type { Metadata } from 'next'
import { MailChoicesForm } from '@/components/notices/mail-choices'
import { NoticeSettingsForm } from '@/components/notices/settings-form'
import { Notice, Section } from '@/components/ui/page'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Notice settings' }

export default async function NoticeSettingsPage() {
  const api = await dashboardApi()
  const { settings, mail, canSendMail, kinds, isAdmin } = await api.notices.settings()
  return (
    <div className="grid max-w-[760px] gap-8">
      <Section title="E-mail to you">
        {canSendMail ? (
          <MailChoicesForm saved={mail} kinds={kinds} />
        ) : (
          <Notice tone="warn">
            This service sends no e-mail: its operator has set no mail server. Notices appear under the bell, and at the
            webhook below.
          </Notice>
        )}
      </Section>
      {isAdmin && (
        <Section title="This account">
          <NoticeSettingsForm saved={settings} kinds={kinds} />
        </Section>
      )}
    </div>
  )
}
