import { z } from 'zod'
import { listAuditEvents, originOf } from '../../accounts/audit'
import { changeEmail } from '../../accounts/change-email'
import { changePassword, hasPassword } from '../../accounts/change-password'
import { canSendMail } from '../../accounts/mail'
import { listMemberships } from '../../accounts/members/memberships'
import { Membership } from '../../accounts/members/shape'
import { countExport, countPasswordAttempt } from '../../accounts/rate-limit'
import { renameOwner } from '../../accounts/rename'
import { endOtherSessions, endOwnerSession, listSessions } from '../../accounts/session'
import {
  AccountDeletion,
  AuditList,
  AuditPage,
  EmailChange,
  OwnerName,
  PasswordChange,
  SessionView,
} from '../../accounts/shape'
import { adoptTimeZone, getTimeZone, setTimeZone, TimeZone } from '../../accounts/time-zone'
import { simulationNotice } from '../../catalog/simulation'
import { readSuspension } from '../../credits/suspension'
import { inAct } from '../../db'
import { env } from '../../env'
import { deleteOwnAccount, readOwnDeletion } from '../../owner-data/close-own'
import { OwnDeletion } from '../../owner-data/shape'
import {
  AUDITED_BY_MODULE,
  audited,
  REACHED_WITHOUT_FACTOR,
  STEP_UP,
  type StepUpRule,
  stepUpWhen,
} from '../operation-meta'
import { memberProcedure, personProcedure, router } from '../trpc'

const Me = z.object({
  email: z.string(),
  name: z.string().nullable(),
  isAdmin: z.boolean(),
  account: Membership.nullable().describe('The account that is looked at; null: they belong to none'),
  accounts: z.array(Membership).describe('All that they belong to'),
  simulation: z.string().nullable().describe('What is simulated, in a sentence; null: nothing'),
  isMixed: z.boolean().describe('Some providers are simulated and others real'),
  baseUrl: z.string().describe('Base URL of the API'),
  creditsPerUsd: z.int(),
})

const Profile = Me.pick({ email: true, name: true, isAdmin: true }).extend({
  hasPassword: z.boolean().describe('False: signs in through a provider only'),
  confirmsEmail: z.boolean().describe('A new address is confirmed by a link'),
})

/** Where no password is asked for, because there is none. */
const WITHOUT_PASSWORD: StepUpRule = async (_input, { session }) => !(await hasPassword(session.personId))

export const accountRouter = router({
  me: personProcedure
    .meta(REACHED_WITHOUT_FACTOR)
    .output(Me)
    .query(async ({ ctx: { session } }) => ({
      email: session.email,
      name: session.name,
      isAdmin: session.isAdmin,
      account: session.account,
      accounts: await listMemberships(session.personId),
      simulation: simulationNotice(),
      isMixed: env().mode === 'mixed',
      baseUrl: env().PUBLIC_URL,
      creditsPerUsd: env().CREDITS_PER_USD,
    })),

  profile: personProcedure.output(Profile).query(async ({ ctx: { session } }) => ({
    email: session.email,
    name: session.name,
    isAdmin: session.isAdmin,
    hasPassword: await hasPassword(session.personId),
    confirmsEmail: canSendMail(),
  })),

  rename: personProcedure
    .meta(audited<{ name: string }, unknown>('settings_changed', { detail: ({ name }) => ({ name }) }))
    .input(z.strictObject({ name: OwnerName }))
    .mutation(({ ctx, input }) => renameOwner(ctx.person, input.name)),

  /** Writes into the audit log itself: what was done depends on whether e-mail can be sent. */
  changeEmail: personProcedure
    .meta({ ...AUDITED_BY_MODULE, ...STEP_UP })
    .input(EmailChange)
    .output(z.object({ isChanged: z.boolean().describe('False: once the link in an e-mail was opened') }))
    .mutation(({ ctx, input }) => changeEmail(ctx.session, input, originOf(ctx.headers))),

  changePassword: personProcedure
    .meta({ ...audited('password_changed'), ...stepUpWhen(WITHOUT_PASSWORD) })
    .input(PasswordChange)
    .output(z.object({ changed: z.literal(true) }))
    .mutation(async ({ ctx: { session }, input }) => {
      await countPasswordAttempt(session.personId)
      await changePassword(session, input)
      return { changed: true }
    }),

  suspension: memberProcedure('member')
    .output(z.string().nullable().describe('Why the account is suspended; null: it may spend'))
    .query(({ ctx }) => readSuspension(ctx.owner)),

  /** Counts an export, which the handler then streams. */
  beginExport: memberProcedure('owner')
    .meta({ ...audited('data_exported'), ...STEP_UP })
    .output(z.object({ ownerId: z.int() }))
    .mutation(async ({ ctx }) => {
      await countExport(ctx.owner)
      // What is exported is read later: the act is its line.
      await inAct(async () => undefined)
      return { ownerId: ctx.owner }
    }),

  /** What deleting oneself would take away. */
  deletion: personProcedure.output(OwnDeletion).query(({ ctx }) => readOwnDeletion(ctx.person)),

  /** Writes into the audit log itself, without the address of who it was. */
  delete: personProcedure
    .meta({ ...AUDITED_BY_MODULE, ...stepUpWhen(WITHOUT_PASSWORD) })
    .input(AccountDeletion)
    .output(z.object({ deleted: z.literal(true) }))
    .mutation(async ({ ctx: { session }, input }) => {
      await countPasswordAttempt(session.personId)
      await deleteOwnAccount(session, input)
      return { deleted: true }
    }),

  timeZone: memberProcedure('member')
    .output(z.string())
    .query(({ ctx }) => getTimeZone(ctx.owner)),

  setTimeZone: memberProcedure('admin')
    .meta(audited<{ timeZone: string }, unknown>('settings_changed', { detail: ({ timeZone }) => ({ timeZone }) }))
    .input(z.strictObject({ timeZone: TimeZone }))
    .mutation(({ ctx, input }) => setTimeZone(ctx.owner, input.timeZone)),

  /** Writes into the audit log itself, where it sets the time zone. */
  adoptTimeZone: memberProcedure('admin')
    .meta(AUDITED_BY_MODULE)
    .input(z.strictObject({ timeZone: TimeZone }))
    .output(z.enum(['set', 'ask', 'kept']))
    .mutation(({ ctx, input }) =>
      adoptTimeZone({ ownerId: ctx.owner, email: ctx.session.email }, input.timeZone, originOf(ctx.headers)),
    ),

  sessions: personProcedure.output(z.array(SessionView)).query(({ ctx }) => listSessions(ctx.session)),

  endSession: personProcedure
    .meta(audited('session_ended'))
    .input(z.strictObject({ id: z.uuid() }))
    .output(z.object({ ended: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      await endOwnerSession(ctx.person, input.id)
      return { ended: true }
    }),

  endOtherSessions: personProcedure
    .meta(audited('other_sessions_ended'))
    .output(z.object({ ended: z.literal(true) }))
    .mutation(async ({ ctx: { session } }) => {
      await endOtherSessions(session.personId, session.sessionId)
      return { ended: true }
    }),

  audit: memberProcedure('admin')
    .input(AuditPage)
    .output(AuditList)
    .query(({ ctx, input }) => listAuditEvents(ctx.owner, input, { signal: ctx.signal })),
})
