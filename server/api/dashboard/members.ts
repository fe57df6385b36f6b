import { z } from 'zod'
import {
  changeRole,
  getRequiresFactor,
  leaveAccount,
  removeMember,
  renameAccount,
  setRequiresFactor,
} from '../../accounts/members/change'
import { invite, listInvitations, withdrawInvitation } from '../../accounts/members/invitations'
import { accountNotFound, listMembers, switchAccount } from '../../accounts/members/memberships'
import {
  Invitation,
  InvitationId,
  MadeInvitation,
  Member,
  NewInvitation,
  PersonId,
  RoleChange,
} from '../../accounts/members/shape'
import { OwnerName } from '../../accounts/shape'
import { prisma } from '../../db'
import { deleteAccount } from '../../owner-data/delete'
import { AUDITED_BY_MODULE, audited, NOT_AUDITED, STEP_UP } from '../operation-meta'
import { memberProcedure, personProcedure, router } from '../trpc'

const Done = z.object({ done: z.literal(true) })
const done = { done: true } as const
const subject = (_input: unknown, { email }: { email: string }) => email

/** Who belongs to the account that is looked at, and who is invited. */
export const membersRouter = router({
  list: memberProcedure('member')
    .output(z.array(Member))
    .query(({ ctx }) => listMembers(ctx.owner)),

  changeRole: memberProcedure('admin')
    .meta({
      ...audited<z.infer<typeof RoleChange>, { email: string }>('member_role_changed', {
        subject,
        detail: ({ role }) => ({ role }),
      }),
      ...STEP_UP,
    })
    .input(RoleChange)
    .output(Done)
    .mutation(async ({ ctx, input: { personId, role } }) => {
      await changeRole({ accountId: ctx.owner, personId, by: ctx.role }, role)
      return done
    }),

  remove: memberProcedure('admin')
    .meta(audited('member_removed', { subject }))
    .input(PersonId)
    .output(Done)
    .mutation(async ({ ctx, input: { personId } }) => {
      await removeMember({ accountId: ctx.owner, personId, by: ctx.role })
      return done
    }),

  leave: memberProcedure('member')
    .meta(audited('member_left', { subject }))
    .output(Done)
    .mutation(async ({ ctx }) => {
      await leaveAccount({ accountId: ctx.owner, personId: ctx.person })
      return done
    }),

  invitations: memberProcedure('admin')
    .output(z.array(Invitation))
    .query(({ ctx }) => listInvitations(ctx.owner)),

  invite: memberProcedure('admin')
    .meta({
      ...audited<z.input<typeof NewInvitation>, unknown>('member_invited', {
        subject: ({ email }) => email ?? undefined,
        detail: ({ role }) => ({ role }),
      }),
      ...STEP_UP,
    })
    .input(NewInvitation)
    .output(MadeInvitation)
    .mutation(({ ctx, input }) => invite({ accountId: ctx.owner, by: ctx.role, madeBy: ctx.session.email }, input)),

  withdraw: memberProcedure('admin')
    .meta(audited<unknown, Invitation>('invitation_withdrawn', { subject: (_input, { email }) => email ?? undefined }))
    .input(InvitationId)
    .output(Invitation)
    .mutation(({ ctx, input }) => withdrawInvitation(ctx.owner, input.id)),

  rename: memberProcedure('admin')
    .meta(audited<{ name: string }, unknown>('settings_changed', { detail: ({ name }) => ({ accountName: name }) }))
    .input(z.strictObject({ name: OwnerName }))
    .output(Done)
    .mutation(async ({ ctx, input }) => {
      await renameAccount(ctx.owner, input.name)
      return done
    }),

  requiresFactor: memberProcedure('member')
    .output(z.boolean())
    .query(({ ctx }) => getRequiresFactor(prisma(), ctx.owner)),

  /** From then on, members without a second factor reach nothing but the page that adds one. */
  setRequiresFactor: memberProcedure('owner')
    .meta({
      ...audited<{ isOn: boolean }, unknown>('settings_changed', {
        detail: ({ isOn }) => ({ membersNeedSecondFactor: isOn }),
      }),
      ...STEP_UP,
    })
    .input(z.strictObject({ isOn: z.boolean() }))
    .output(z.boolean())
    .mutation(async ({ ctx, input: { isOn } }) => {
      await setRequiresFactor(ctx.owner, isOn)
      return isOn
    }),

  /** Deletes the account for all of its members, who stay. Writes into the audit log itself. */
  deleteAccount: memberProcedure('owner')
    .meta({ ...AUDITED_BY_MODULE, ...STEP_UP })
    .input(z.strictObject({ accountId: z.int32().positive().describe('As the page shows it: no other is deleted') }))
    .output(Done)
    .mutation(async ({ ctx, input: { accountId } }) => {
      if (accountId !== ctx.owner) throw accountNotFound()
      await deleteAccount(ctx.owner, { kind: 'owner', email: null })
      return done
    }),

  /** Makes this session look at another account of whoever is signed in. */
  switchAccount: personProcedure
    .meta(NOT_AUDITED)
    .input(z.strictObject({ accountId: z.int32().positive() }))
    .output(Done)
    .mutation(async ({ ctx, input: { accountId } }) => {
      await switchAccount(ctx.session, accountId)
      return done
    }),
})
