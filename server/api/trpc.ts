import { initTRPC, TRPCError } from '@trpc/server'
import type { TRPC_ERROR_CODE_KEY } from '@trpc/server/rpc'
import type { OpenApiMeta } from 'trpc-to-openapi'
import { z } from 'zod'
import { getSession } from '../accounts/session'
import type { LimitSource } from '../credits/shape'
import { databaseDown, isDatabaseDown } from '../db'
import { AppError, ERROR_CODES, type Issue, invalidRequest, isAppError } from '../errors'
import { admit, bearerOf, type Caller } from '../keys/admit'
import { needScope, type Scope } from '../keys/grants'
import { log } from '../kit/log'
import type { Context } from './context'

export type Meta = OpenApiMeta & {
  /**
   * How the REST door answers: success status, another one it may have (`reply.status`), largest body in bytes. `tail`: the last path parameter takes the rest of
   * the path, slashes and all. `errors`: the envelope, where it is not the usual one. `ownDoor`: another
   * door serves it; it only stands in the document.
   */
  rest?: {
    success?: number
    alsoSuccess?: number
    maxBody?: number
    tail?: boolean
    errors?: 'chat'
    ownDoor?: boolean
  }
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    errorFormatter: ({ shape, error, ctx }) => ({ ...shape, ...tellError(shape, asAppError(error), ctx) }),
  })

type Told = { code: TRPC_ERROR_CODE_KEY; httpStatus: number; path?: string }

/** What a failed procedure tells the browser: nothing of the stack, and of the details those that a page can use. */
function tellError({ data }: { data: Told }, { code, message, detail, charge }: AppError, ctx: Context | undefined) {
  return {
    message,
    data: {
      code: data.code,
      httpStatus: data.httpStatus,
      path: data.path,
      appCode: code,
      requestId: ctx?.requestId,
      /** What is wrong, by path from the input's top. */
      issues: detail.issues as readonly Issue[] | undefined,
      limitSource: detail.limitSource as LimitSource | undefined,
      /** Only there when something ran. */
      charge,
    },
  }
}

/** Whatever a procedure threw, as the one error doors render. Unknown errors keep their text inside. */
export function asAppError(error: unknown): AppError {
  if (isAppError(error)) return error
  const cause = error instanceof TRPCError ? error.cause : undefined
  if (isAppError(cause)) return cause
  if (cause instanceof z.core.$ZodError) return invalidRequest(cause.issues)
  if (isDatabaseDown(cause ?? error)) return databaseDown(cause ?? error)
  if (error instanceof TRPCError && error.code === 'NOT_FOUND')
    return new AppError('not_found', 'There is no such thing.')
  return new AppError('internal_error', 'Something went wrong on our side.', { cause: cause ?? error })
}

/** Turns every error into a TRPCError that carries ours, once, and logs what was not expected. */
const errors = t.middleware(async ({ ctx, path, next }) => {
  const result = await next()
  if (result.ok) return result
  const ours = asAppError(result.error)
  if (ours.status >= 500 && ours.code !== 'upstream_error') {
    const { cause } = ours
    log.error({ requestId: ctx.requestId, path, err: cause instanceof Error ? cause.stack : cause }, ours.message)
  }
  throw new TRPCError({ code: ERROR_CODES[ours.code].trpc, message: ours.message, cause: ours })
})

const base = t.procedure.use(errors)

/** A request is let in, and counted in its key's minute, once, however many procedures it calls. */
async function admitCaller(ctx: Context): Promise<Caller> {
  if (ctx.via !== 'key') throw new AppError('unauthorized', 'This needs a key.')
  if (ctx.reply.caller) return ctx.reply.caller
  const caller = await admit(bearerOf(ctx.headers), (rate) => {
    ctx.reply.rate = rate
  })
  ctx.reply.caller = caller
  return caller
}

/** Whoever has a valid key; with `scope`, one that has it. Admission comes before the body is read. */
export const keyProcedure = (scope?: Scope) =>
  base.use(async ({ ctx, next }) => {
    const caller = await admitCaller(ctx)
    if (scope) needScope(caller.grants, scope)
    return next({ ctx: { ...ctx, caller } })
  })

/** Lets anyone in; a key that is sent must be valid, and is answered. Throws as `admit` does. */
export const admitAnyone = async (ctx: Context): Promise<Caller | null> =>
  ctx.via === 'key' && bearerOf(ctx.headers) !== null ? admitCaller(ctx) : null

/** Anyone; a key that is sent must be valid. */
export const openProcedure = base.use(async ({ ctx, next }) =>
  next({ ctx: { ...ctx, caller: await admitAnyone(ctx) } }),
)

/** The signed-in owner, at the dashboard. */
export const ownerProcedure = base.use(async ({ ctx, next }) => {
  if (ctx.via !== 'session') throw new AppError('unauthorized', 'This needs a signed-in owner.')
  const session = await getSession(ctx.headers)
  if (!session) throw new AppError('unauthorized', 'Your session has ended. Sign in again.')
  return next({ ctx: { ...ctx, owner: session.ownerId, session } })
})

export const router = t.router
export const createCallerFactory = t.createCallerFactory
