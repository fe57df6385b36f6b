import type { Metadata } from 'next'
import { AccountNameForm, FactorRule } from '@/components/settings/account-rules'
import { InvitationList } from '@/components/settings/invitation-list'
import { InviteForm } from '@/components/settings/invite-form'
import { IssuerRulesForm } from '@/components/settings/issuer-rules'
import { DeleteForAll, LeaveAccount } from '@/components/settings/leave-account'
import { MemberList } from '@/components/settings/member-list'
import { Section } from '@/components/ui/page'
import { ROLE_NOTES, ROLES } from '@/server/accounts/shape'
import { server } from '../../../server'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Members' }

export default async function MembersPage() {
  const api = await dashboardApi()
  const [me, members, isRequired, budgets] = await Promise.all([
    api.account.me(),
    api.members.list(),
    api.members.requiresFactor(),
    api.budgets.list({ limit: 100 }),
  ])
  const may = me.account?.may ?? []
  // Only owners make owners.
  const roles = ROLES.filter((role) => role !== 'owner' || may.includes('owner')).map((role) => ({
    role,
    note: ROLE_NOTES[role],
  }))
  const { account, accounts } = me
  const owners = members.filter(({ role }) => role === 'owner')
  const isLastOwner = account?.role === 'owner' && owners.length === 1
  const isShared = members.length > 1
  const invitations = may.includes('admin') ? await api.members.invitations() : null
  const rules = may.includes('admin') ? await api.issuer.rules() : null
  return (
    <div className="grid max-w-[760px] gap-8">
      <Section title="Members">
        <MemberList members={members} roles={roles} self={me.email} budgets={budgets.rows} />
      </Section>
      {invitations && (
        <Section title="Invite">
          <InviteForm roles={roles} sendsMail={server().canSendLinks()} />
        </Section>
      )}
      {invitations && invitations.length > 0 && (
        <Section title="Open invitations">
          <InvitationList invitations={invitations} />
        </Section>
      )}
      {invitations && (
        <Section title="Account">
          <AccountNameForm name={me.account?.name ?? ''} />
        </Section>
      )}
      {rules && (
        <Section title={`Sign-in with ${rules.name}`}>
          <IssuerRulesForm rules={rules} roles={roles} />
        </Section>
      )}
      {may.includes('owner') && (
        <Section title="Second factors">
          <FactorRule
            isOn={isRequired}
            missing={members.filter(({ hasFactor }) => !hasFactor).length}
            isMine={members.some(({ email, hasFactor }) => email === me.email && !hasFactor)}
          />
        </Section>
      )}
      {account && isShared && (
        <Section title="Leave this account">
          <LeaveAccount name={account.name} isLastOwner={isLastOwner} />
        </Section>
      )}
      {account && may.includes('owner') && (isShared || accounts.length > 1) && (
        <Section title="Delete this account">
          <DeleteForAll accountId={account.accountId} name={account.name} members={members.length} />
        </Section>
      )}
    </div>
  )
}
