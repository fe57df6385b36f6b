import { z } from 'zod'
import { listAuditEvents } from '../../accounts/audit'
import { changePassword } from '../../accounts/change-password'
import { countPasswordAttempt } from '../../accounts/rate-limit'
import { endOtherSessions, endOwnerSession, listSessions } from '../../accounts/session'
import { AuditList, AuditPage, PasswordChange, SessionView } from '../../accounts/shape'
import { getTimeZone, setTimeZone, TimeZone } from '../../accounts/time-zone'
import { simulationNotice } from '../../catalog/simulation'
import { env } from '../../env'
import { audited } from '../operation-meta'
import { ownerProcedure, router } from '../trpc'

const Me = z.object({
  email: z.string(),
  name: z.string().nullable(),
  isAdmin: z.boolean(),
  simulation: z.string().nullable().describe('What is simulated, in a sentence; null: nothing'),
  isMixed: z.boolean().describe('Some providers are simulated and others real'),
  baseUrl: z.string().describe('Base URL of the API'),
  creditsPerUsd: z.int(),
})

export const accountRouter = router({
  me: ownerProcedure.output(Me).query(({ ctx: { session } }) => ({
    email: session.email,
    name: session.name,
    isAdmin: session.isAdmin,
    simulation: simulationNotice(),
    isMixed: env().mode === 'mixed',
    baseUrl: env().PUBLIC_URL,
    creditsPerUsd: env().CREDITS_PER_USD,
  })),

  changePassword: ownerProcedure
    .meta(audited('password_changed'))
    .input(PasswordChange)
    .output(z.object({ changed: z.literal(true) }))
    .mutation(async ({ ctx: { session }, input }) => {
      await countPasswordAttempt(session.ownerId)
      await changePassword(session, input)
      return { changed: true }
    }),

  timeZone: ownerProcedure.output(z.string()).query(({ ctx }) => getTimeZone(ctx.owner)),

  setTimeZone: ownerProcedure
    .meta(audited<{ timeZone: string }, unknown>('settings_changed', { detail: ({ timeZone }) => ({ timeZone }) }))
    .input(z.strictObject({ timeZone: TimeZone }))
    .mutation(({ ctx, input }) => setTimeZone(ctx.owner, input.timeZone)),

  sessions: ownerProcedure.output(z.array(SessionView)).query(({ ctx }) => listSessions(ctx.session)),

  endSession: ownerProcedure
    .meta(audited('session_ended'))
    .input(z.strictObject({ id: z.uuid() }))
    .output(z.object({ ended: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      await endOwnerSession(ctx.owner, input.id)
      return { ended: true }
    }),

  endOtherSessions: ownerProcedure
    .meta(audited('other_sessions_ended'))
    .output(z.object({ ended: z.literal(true) }))
    .mutation(async ({ ctx: { session } }) => {
      await endOtherSessions(session.ownerId, session.sessionId)
      return { ended: true }
    }),

  audit: ownerProcedure
    .input(AuditPage)
    .output(AuditList)
    .query(({ ctx, input }) => listAuditEvents(ctx.owner, input, { signal: ctx.signal })),
})
