import { z } from 'zod'
import { listReceipts } from '../../credits/receipts'
import { ReceiptList, UsagePage } from '../../credits/shape'
import { searchKeys } from '../../keys/search'
import { FoundKeys, KeyId, KeySearch, KeyView } from '../../keys/shape'
import { endSessionsOf, makeResetLink, setOperator } from '../../operators/access'
import { changeKeyLimits, revokeKeyOf } from '../../operators/keys'
import { listOwners } from '../../operators/list-owners'
import { listOperatorActs } from '../../operators/log'
import { grantToOwner, resumeOwner, suspendOwner } from '../../operators/money'
import { changeOwnerLimits } from '../../operators/owner-limits'
import { readOwner } from '../../operators/read-owner'
import {
  AdminRequest,
  GrantRequest,
  OwnerId,
  OwnerLimitsRequest,
  OwnerList,
  OwnersPage,
  SuspendRequest,
  TrafficPage,
} from '../../operators/shape'
import { readTraffic } from '../../operators/traffic'
import { TrafficList } from '../../operators/traffic-view'
import { KeyLimitsRequest, OperatorLog, OperatorLogPage, OwnerDetails } from '../../operators/views'
import { listRefusals } from '../../request-log/list-refusals'
import { RefusalList, RefusalPage } from '../../request-log/shape'
import { AUDITED_BY_MODULE } from '../operation-meta'
import { adminProcedure, router } from '../trpc'

const Done = z.object({ done: z.literal(true) })
const done = { done: true } as const

export const operatorOwnersRouter = router({
  list: adminProcedure
    .input(OwnersPage)
    .output(OwnerList)
    .query(({ ctx, input }) => listOwners(input, { signal: ctx.signal })),

  get: adminProcedure
    .input(OwnerId)
    .output(OwnerDetails)
    .query(({ input }) => readOwner(input.ownerId)),

  keys: adminProcedure
    .input(KeySearch.extend(OwnerId.shape))
    .output(FoundKeys)
    .query(({ ctx, input: { ownerId, ...search } }) => searchKeys(ownerId, search, { signal: ctx.signal })),

  receipts: adminProcedure
    .input(UsagePage.extend(OwnerId.shape))
    .output(ReceiptList)
    .query(({ ctx, input: { ownerId, ...page } }) => listReceipts(ownerId, page, { signal: ctx.signal })),

  refusals: adminProcedure
    .input(RefusalPage.extend(OwnerId.shape))
    .output(RefusalList)
    .query(({ ctx, input: { ownerId, ...page } }) => listRefusals(ownerId, page, { signal: ctx.signal })),

  /** Who takes the most of the service. */
  traffic: adminProcedure
    .input(TrafficPage)
    .output(TrafficList)
    .query(({ ctx, input }) => readTraffic(input, { signal: ctx.signal })),

  /** What operators did, to all owners or to one. */
  log: adminProcedure
    .input(OperatorLogPage)
    .output(OperatorLog)
    .query(({ ctx, input }) => listOperatorActs(input, { signal: ctx.signal })),

  grant: adminProcedure
    .meta(AUDITED_BY_MODULE)
    .input(GrantRequest)
    .output(z.object({ available: z.int() }))
    .mutation(async ({ ctx, input }) => ({ available: await grantToOwner(ctx.operator, input) })),

  suspend: adminProcedure
    .meta(AUDITED_BY_MODULE)
    .input(SuspendRequest)
    .output(Done)
    .mutation(async ({ ctx, input }) => {
      await suspendOwner(ctx.operator, input)
      return done
    }),

  resume: adminProcedure
    .meta(AUDITED_BY_MODULE)
    .input(OwnerId)
    .output(Done)
    .mutation(async ({ ctx, input }) => {
      await resumeOwner(ctx.operator, input.ownerId)
      return done
    }),

  /** What it may do over all its keys. */
  changeLimits: adminProcedure
    .meta(AUDITED_BY_MODULE)
    .input(OwnerLimitsRequest)
    .output(Done)
    .mutation(async ({ ctx, input }) => {
      await changeOwnerLimits(ctx.operator, input)
      return done
    }),

  setOperator: adminProcedure
    .meta(AUDITED_BY_MODULE)
    .input(AdminRequest)
    .output(Done)
    .mutation(async ({ ctx, input }) => {
      await setOperator(ctx.operator, input.ownerId, input.isAdmin)
      return done
    }),

  /** A link with which the owner sets a new password. */
  resetLink: adminProcedure
    .meta(AUDITED_BY_MODULE)
    .input(OwnerId)
    .output(z.object({ url: z.string().describe('Shown this once'), expiresAt: z.iso.datetime() }))
    .mutation(({ ctx, input }) => makeResetLink(ctx.operator, input.ownerId)),

  endSessions: adminProcedure
    .meta(AUDITED_BY_MODULE)
    .input(OwnerId)
    .output(Done)
    .mutation(async ({ ctx, input }) => {
      await endSessionsOf(ctx.operator, input.ownerId)
      return done
    }),

  changeKey: adminProcedure
    .meta(AUDITED_BY_MODULE)
    .input(KeyLimitsRequest)
    .output(KeyView)
    .mutation(({ ctx, input }) => changeKeyLimits(ctx.operator, input)),

  revokeKey: adminProcedure
    .meta(AUDITED_BY_MODULE)
    .input(KeyId)
    .output(KeyView)
    .mutation(({ ctx, input }) => revokeKeyOf(ctx.operator, input.id)),
})
