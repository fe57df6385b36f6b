import { countPlaygroundTurn } from '../../accounts/rate-limit'
import { AppError } from '../../errors'
import type { ResponseMeta } from '../context'
import { NOT_AUDITED } from '../operation-meta'
import { type Entrance, memberProcedure, type Payer } from '../trpc'

/** Requests that have made a billed call. */
const billed = new WeakSet<ResponseMeta>()

/**
 * A developer of the account making one billed call, a chat turn or a tool run, which counts in the
 * calls per minute. A request makes at most one, because its id is that of the hold: a second one
 * in a batch would use the first one's credits.
 */
export const billedCallProcedure = memberProcedure('developer')
  .meta(NOT_AUDITED)
  .use(async ({ ctx, next }) => {
    if (billed.has(ctx.reply))
      throw new AppError('invalid_request', 'One request makes one billed call. Send each alone.')
    billed.add(ctx.reply)
    await countPlaygroundTurn(ctx.owner)
    const payer = { ownerId: ctx.owner, keyId: null, personId: ctx.person }
    const entrance: Entrance<Payer> = { expected: null, enter: async () => payer }
    return next({ ctx: { entrance } })
  })
