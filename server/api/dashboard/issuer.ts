import { z } from 'zod'
import { removeDomain, saveDomain } from '../../accounts/issuer/domains'
import { removeGroup, saveGroup } from '../../accounts/issuer/groups'
import { linkIssuer, readIssuerLink, unlinkIssuer } from '../../accounts/issuer/link'
import { readIssuerRules } from '../../accounts/issuer/rules'
import { DomainName, GroupName, GroupRole, IssuerLink, IssuerRules, JoinDomain } from '../../accounts/issuer/shape'
import { audited, STEP_UP } from '../operation-meta'
import { memberProcedure, personProcedure, router } from '../trpc'

const Done = z.object({ done: z.literal(true) })
const done = { done: true } as const

/** Sign-in through the issuer: whom an account lets in, and how somebody's own is linked. */
export const issuerRouter = router({
  /** Null: no issuer is set up. */
  rules: memberProcedure('admin')
    .output(IssuerRules.nullable())
    .query(({ ctx }) => readIssuerRules(ctx.owner, ctx.person)),

  saveDomain: memberProcedure('admin')
    .meta({
      ...audited<JoinDomain, unknown>('settings_changed', {
        subject: ({ domain }) => domain,
        detail: ({ domain, role }) => ({ joinDomain: domain, role }),
      }),
      ...STEP_UP,
    })
    .input(JoinDomain)
    .output(Done)
    .mutation(async ({ ctx, input }) => {
      await saveDomain({ accountId: ctx.owner, personId: ctx.person }, input)
      return done
    }),

  removeDomain: memberProcedure('admin')
    .meta(
      audited<{ domain: string }, unknown>('settings_changed', {
        subject: ({ domain }) => domain,
        detail: ({ domain }) => ({ joinDomain: domain, role: null }),
      }),
    )
    .input(DomainName)
    .output(Done)
    .mutation(async ({ ctx, input }) => {
      await removeDomain(ctx.owner, input.domain)
      return done
    }),

  saveGroup: memberProcedure('admin')
    .meta({
      ...audited<GroupRole, unknown>('settings_changed', {
        subject: ({ group }) => group,
        detail: ({ group, role }) => ({ group, role }),
      }),
      ...STEP_UP,
    })
    .input(GroupRole)
    .output(Done)
    .mutation(async ({ ctx, input }) => {
      await saveGroup({ accountId: ctx.owner, by: ctx.role }, input)
      return done
    }),

  removeGroup: memberProcedure('admin')
    .meta(
      audited<{ group: string }, unknown>('settings_changed', {
        subject: ({ group }) => group,
        detail: ({ group }) => ({ group, role: null }),
      }),
    )
    .input(GroupName)
    .output(Done)
    .mutation(async ({ ctx, input }) => {
      await removeGroup({ accountId: ctx.owner, by: ctx.role }, input.group)
      return done
    }),

  /** Null: no issuer is set up. */
  link: personProcedure.output(IssuerLink.nullable()).query(({ ctx }) => readIssuerLink(ctx.session, ctx.headers)),

  saveLink: personProcedure
    .meta({ ...audited('sign_in_linked'), ...STEP_UP })
    .output(Done)
    .mutation(async ({ ctx }) => {
      await linkIssuer(ctx.session, ctx.headers)
      return done
    }),

  removeLink: personProcedure
    .meta({ ...audited('sign_in_unlinked'), ...STEP_UP })
    .output(Done)
    .mutation(async ({ ctx }) => {
      await unlinkIssuer(ctx.session)
      return done
    }),
})
