import type { Metadata } from 'next'
import { EndOtherSessions } from '@/components/settings/end-other-sessions'
import { SessionList } from '@/components/settings/session-list'
import { Section } from '@/components/ui/page'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Sessions' }

export default async function SessionsPage() {
  const api = await dashboardApi()
  const sessions = await api.account.sessions()
  const others = sessions.filter(({ isCurrent }) => !isCurrent).length
  return (
    <Section
      title="Signed-in browsers"
      aside={others > 0 && <EndOtherSessions count={others} />}
      className="max-w-[760px]"
    >
      <SessionList sessions={sessions} />
    </Section>
  )
}
