import { initTRPC, TRPCError } from '@trpc/server'
import type { TRPC_ERROR_CODE_KEY } from '@trpc/server/rpc'
import type { OpenApiMeta } from 'trpc-to-openapi'
import { z } from 'zod'
import { getSession } from '../accounts/session'
import type { LimitSource } from '../credits/shape'
import { databaseUnavailable, isDatabaseUnavailable } from '../db'
import { AppError, ERROR_CODES, type Issue, invalidRequest } from '../errors'
import { authenticateKey, bearerToken, type Caller } from '../keys/authenticate'
import { type KeyScope, requireScope } from '../keys/grants'
import { log } from '../kit/log'
import type { Context } from './context'

export type ProcedureMeta = OpenApiMeta & {
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
  .meta<ProcedureMeta>()
  .create({
    errorFormatter: ({ shape, error, ctx }) => ({ ...shape, ...tellError(shape, toAppError(error), ctx) }),
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
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const cause = error instanceof TRPCError ? error.cause : undefined
  if (cause instanceof AppError) return cause
  if (cause instanceof z.core.$ZodError) return invalidRequest(cause.issues)
  if (isDatabaseUnavailable(cause ?? error)) return databaseUnavailable(cause ?? error)
  if (error instanceof TRPCError && error.code === 'NOT_FOUND')
    return new AppError('not_found', 'There is no such thing.')
  return new AppError('internal_error', 'Something went wrong on our side.', { cause: cause ?? error })
}

/** Whatever was thrown as a TRPCError that carries ours; what was not expected is logged. */
function tell(thrown: unknown, { requestId, signal }: Context, path: string): TRPCError {
  const ours = toAppError(thrown)
  // Nobody hears this error, and it is not worth a log line.
  if (signal.aborted) return new TRPCError({ code: 'CLIENT_CLOSED_REQUEST', message: ours.message, cause: ours })
  if (ours.status >= 500 && ours.code !== 'upstream_error') {
    const { cause } = ours
    log.error({ requestId, path, err: cause instanceof Error ? cause.stack : cause }, ours.message)
  }
  return new TRPCError({ code: ERROR_CODES[ours.code].trpc, message: ours.message, cause: ours })
}

/**
 * A procedure that `enter` lets its caller into, with what that adds to the context. In one step, because each costs
 * every request.
 */
const guarded = <E extends object>(enter: (ctx: Context) => Promise<E>) =>
  t.procedure.use(async ({ ctx, path, next }) => {
    const entered = await enter(ctx).catch((error) => {
      throw tell(error, ctx, path)
    })
    const result = await next({ ctx: entered })
    if (!result.ok) throw tell(result.error, ctx, path)
    return result
  })

/** A request is let in, and counted in its key's minute, once, however many procedures it calls. */
async function admitCaller(ctx: Context): Promise<Caller> {
  if (ctx.via !== 'key') throw new AppError('unauthorized', 'This needs a key.')
  if (ctx.reply.caller) return ctx.reply.caller
  const caller = await authenticateKey(bearerToken(ctx.headers), (rate) => {
    ctx.reply.rate = rate
  })
  ctx.reply.caller = caller
  return caller
}

/** Whoever has a valid key; with `scope`, one that has it. Admission comes before the body is read. */
export const keyProcedure = (scope?: KeyScope) =>
  guarded(async (ctx) => {
    const caller = await admitCaller(ctx)
    if (scope) requireScope(caller.grants, scope)
    return { caller }
  })

/** Lets anyone in; a key that is sent must be valid, and is answered. Throws as `admit` does. */
export const authenticateIfKeySent = async (ctx: Context): Promise<Caller | null> =>
  ctx.via === 'key' && bearerToken(ctx.headers) !== null ? admitCaller(ctx) : null

/** Anyone: neither a key nor a session is looked at. */
export const visitorProcedure = guarded(async () => ({}))

/** Anyone; a key that is sent must be valid. */
export const openProcedure = guarded(async (ctx) => ({ caller: await authenticateIfKeySent(ctx) }))

/** The signed-in owner, at the dashboard. */
export const ownerProcedure = guarded(async (ctx) => {
  if (ctx.via !== 'session') throw new AppError('unauthorized', 'This needs a signed-in owner.')
  const session = await getSession(ctx.headers)
  if (!session) throw new AppError('unauthorized', 'Your session has ended. Sign in again.')
  return { owner: session.ownerId, session }
})

export const router = t.router
export const createCallerFactory = t.createCallerFactory
