import { z } from 'zod'
import { changeRole, removeMember } from '../../accounts/members/change'
import { invite, pageOfInvitations, withdrawInvitation } from '../../accounts/members/invitations'
import { getMember, pageOfMembers } from '../../accounts/members/memberships'
import {
  Invitation,
  InvitationId,
  InvitationPage,
  InvitationRows,
  MadeInvitation,
  Member,
  MemberPage,
  MemberRole,
  MemberRows,
  NewInvitation,
} from '../../accounts/members/shape'
import { AppError } from '../../errors'
import { getKey } from '../../keys/list'
import { AUDITED_BY_MODULE, type OperationEntry, type Trait } from '../operation-meta'
import { router } from '../trpc'
import { doAct, doActOnce, etagOf, type ManageCall, manageProcedure, manages, requireMatch } from './act'

type Described = Pick<OperationEntry, 'operationId' | 'summary' | 'description'>
type Path = `/${'members' | 'invitations'}${'' | '/{id}'}`

const meta = (method: OperationEntry['method'], path: Path, described: Described) => ({
  openapi: { method, path: `/manage${path}` as const, ...described, tags: ['Management'], protect: true },
})

const named: readonly Trait[] = ['granted', 'named']
const MemberId = z.object({ id: z.int32().positive().describe("The member's `personId`") })

/** What a key may do: an admin's part, whoever made it. It never makes or changes an owner. */
const BY = 'admin'

/** Lets keys in that are confined to no tag: members have none. */
const managesMembers = <I, O>(resolve: (call: ManageCall<I>) => Promise<O>) =>
  manages<I, O>('members', (call) => {
    const { tag } = call.grant
    if (tag !== null)
      throw new AppError('forbidden', `This management key is confined to the tag ${tag}, which members do not have.`)
    return resolve(call)
  })

const versionOf = ({ personId, role }: Member): string => etagOf({ personId, role })

/** A member as they are answered, with the version that If-Match takes. */
function answer({ ctx }: ManageCall<unknown>, member: Member): Member {
  ctx.reply.etag = versionOf(member)
  return member
}

const memberOf = (call: ManageCall<z.output<typeof MemberId>>) => ({
  ...({ accountId: call.ownerId, personId: call.input.id, by: BY } as const),
  check: (member: Member) => requireMatch(call, versionOf(member)),
})

const actOf = (call: ManageCall<unknown>) => ({
  subject: ({ email }: Member) => email,
  answer: (member: Member) => answer(call, member),
})

/** Members of an account, for its programs. */
export const manageMembersRouter = router({
  list: manageProcedure
    .meta({
      ...meta('GET', '/members', { operationId: 'listMembers', summary: 'List members, by their ids' }),
      rest: { schema: 'MemberList', traits: ['granted'] },
    })
    .input(MemberPage)
    .output(MemberRows)
    .query(managesMembers(({ ownerId, input }) => pageOfMembers(ownerId, input))),

  get: manageProcedure
    .meta({
      ...meta('GET', '/members/{id}', { operationId: 'readMember', summary: 'One member' }),
      rest: { traits: [...named, 'versioned'] },
    })
    .input(MemberId)
    .output(Member)
    .query(managesMembers(async (call) => answer(call, await getMember(call.ownerId, call.input.id)))),

  change: manageProcedure
    .meta({
      ...meta('PATCH', '/members/{id}', {
        operationId: 'changeMember',
        summary: 'Give a member another role',
        description: 'Holds from the next request on. Owners are made, changed and removed in the dashboard only.',
      }),
      ...AUDITED_BY_MODULE,
      rest: { traits: [...named, 'matched', 'versioned'] },
    })
    .input(z.strictObject({ ...MemberId.shape, role: MemberRole }))
    .output(Member)
    .mutation(
      managesMembers((call) => {
        const { role } = call.input
        const act = { action: 'member_role_changed', detail: { role }, ...actOf(call) } as const
        return doAct(call, act, () => changeRole(memberOf(call), role))
      }),
    ),

  remove: manageProcedure
    .meta({
      ...meta('DELETE', '/members/{id}', {
        operationId: 'removeMember',
        summary: 'Take a member out of the account',
        description:
          'Their sessions in it and their management keys end; its other keys, runs and schedules stay. The answer is ' +
          'what they were.',
      }),
      ...AUDITED_BY_MODULE,
      rest: { traits: [...named, 'matched'] },
    })
    .input(MemberId)
    .output(Member)
    .mutation(
      managesMembers((call) =>
        doAct(call, { action: 'member_removed', ...actOf(call) }, () => removeMember(memberOf(call))),
      ),
    ),

  invite: manageProcedure
    .meta({
      ...meta('POST', '/invitations', {
        operationId: 'createInvitation',
        summary: 'Invite somebody',
        description:
          'Makes a link that works once, within seven days. With an address, and where the service sends e-mail, it is ' +
          'sent there, and `url` is null. Owners are invited in the dashboard only.',
      }),
      ...AUDITED_BY_MODULE,
      rest: { schema: 'MadeInvitation', success: 201, traits: ['granted', 'conflicts', 'repeatable'] },
    })
    .input(NewInvitation)
    .output(MadeInvitation)
    .mutation(
      managesMembers(async (call) => {
        const { role, email } = call.input
        const act = {
          action: 'member_invited',
          subject: () => email ?? 'a link',
          detail: { role },
          answer: (made: MadeInvitation) => made,
        } as const
        const { name } = await getKey(call.ownerId, call.ctx.caller.keyId)
        return doActOnce(call, act, () => invite({ accountId: call.ownerId, by: BY, madeBy: name }, call.input))
      }),
    ),

  invitations: manageProcedure
    .meta({
      ...meta('GET', '/invitations', {
        operationId: 'listInvitations',
        summary: 'List invitations that nobody has opened yet, newest first',
      }),
      rest: { schema: 'InvitationList', traits: ['granted'] },
    })
    .input(InvitationPage)
    .output(InvitationRows)
    .query(managesMembers(({ ownerId, input }) => pageOfInvitations(ownerId, input))),

  withdraw: manageProcedure
    .meta({
      ...meta('DELETE', '/invitations/{id}', {
        operationId: 'withdrawInvitation',
        summary: 'Withdraw an invitation',
        description: 'Its link works no more. The answer is what it was.',
      }),
      ...AUDITED_BY_MODULE,
      rest: { traits: named },
    })
    .input(InvitationId)
    .output(Invitation)
    .mutation(
      managesMembers((call) => {
        const act = {
          action: 'invitation_withdrawn',
          subject: ({ email }: Invitation) => email ?? 'a link',
          answer: (withdrawn: Invitation) => withdrawn,
        } as const
        return doAct(call, act, () => withdrawInvitation(call.ownerId, call.input.id))
      }),
    ),
})
