import { countPlaygroundTurn } from '../../accounts/rate-limit'
import { AppError } from '../../errors'
import type { ResponseMeta } from '../context'
import { ownerProcedure } from '../trpc'

/** Requests under whose id a turn was begun. */
const begun = new WeakSet<ResponseMeta>()

/**
 * The signed-in owner, for one billed call: a chat turn or a tool run, counted against the turns a
 * minute may have. One request makes at most one: the request's id is its hold's, so a second one
 * in a batch would run on the first one's credits.
 */
export const billedCallProcedure = ownerProcedure.use(async ({ ctx, next }) => {
  if (begun.has(ctx.reply)) throw new AppError('invalid_request', 'One request makes one billed call. Send each alone.')
  begun.add(ctx.reply)
  await countPlaygroundTurn(ctx.owner)
  return next()
})
