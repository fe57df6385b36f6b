import { setImmediate } from 'node:timers/promises'
import { initTRPC, TRPCError } from '@trpc/server'
import type { TRPC_ERROR_CODE_KEY } from '@trpc/server/rpc'
import { z } from 'zod'
import { originOf, recordAudit } from '../accounts/audit'
import { getSession } from '../accounts/session'
import type { Session } from '../accounts/shape'
import { type LeastRole, mayAs, type Role } from '../accounts/shape'
import { requireRecentProof } from '../accounts/step-up'
import type { EnteringKey } from '../credits/hold-request'
import type { LimitSource } from '../credits/shape'
import { waitForWriters } from '../credits/wait-for-writers'
import { databaseUnavailable, isDatabaseUnavailable, type Transaction, withLine } from '../db'
import { AppError, ERROR_CODES, type Issue, invalidRequest } from '../errors'
import { authenticateKey, bearerToken, type Caller, type Entry, expectCaller } from '../keys/authenticate'
import { type CallerGrants, type KeyScope, requireCalls, requireScope } from '../keys/grants'
import { errorStack } from '../kit/error-stack'
import { log } from '../kit/log'
import { withSpan } from '../kit/tracing/tracer'
import type { Operator } from '../operators/operator'
import type { Context } from './context'
import type { AuditMeta, ProcedureMeta, StepUpRule } from './operation-meta'

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    errorFormatter: ({ shape, error, ctx }) => ({ ...shape, ...describeError(shape, toAppError(error), ctx) }),
  })

type ErrorData = { code: TRPC_ERROR_CODE_KEY; httpStatus: number; path?: string }

/** What the browser gets of a failed procedure: no stack, and only details that a page can use. */
function describeError(
  { data }: { data: ErrorData },
  { code, message, detail, charge }: AppError,
  ctx: Context | undefined,
) {
  return {
    message,
    data: {
      code: data.code,
      httpStatus: data.httpStatus,
      path: data.path,
      appCode: code,
      requestId: ctx?.requestId,
      /** What is wrong, by path from the top of the input. */
      issues: detail.issues as readonly Issue[] | undefined,
      limitSource: detail.limitSource as LimitSource | undefined,
      /** The same call works once whoever is signed in has shown who they are. */
      stepUp: detail.stepUp === true || undefined,
      /** Only where something ran. */
      charge,
    },
  }
}

/**
 * Whatever a procedure threw, as the error that handlers render. Texts of unknown errors stay
 * internal.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const cause = error instanceof TRPCError ? error.cause : undefined
  if (cause instanceof AppError) return cause
  if (cause instanceof z.core.$ZodError) return invalidRequest(cause.issues)
  if (isDatabaseUnavailable(cause ?? error)) return databaseUnavailable(cause ?? error)
  if (error instanceof TRPCError && error.code === 'NOT_FOUND') return new AppError('not_found', 'Not found.')
  return new AppError('internal_error', 'Something went wrong on our side.', { cause: cause ?? error })
}

/**
 * Whatever was thrown, as a TRPCError with our error as its cause, noted for the response. Logs
 * what was not expected.
 */
function toTrpcError(thrown: unknown, { requestId, signal, reply }: Context, path: string): TRPCError {
  const ours = toAppError(thrown)
  reply.refused = { error: ours, operation: path }
  // Nobody receives this error, and it is not worth a log line.
  if (signal.aborted) return new TRPCError({ code: 'CLIENT_CLOSED_REQUEST', message: ours.message, cause: ours })
  if (ours.status >= 500 && ours.code !== 'upstream_error') {
    const { cause } = ours
    log.error({ requestId, path, err: errorStack(cause) }, ours.message)
  }
  return new TRPCError({ code: ERROR_CODES[ours.code].trpc, message: ours.message, cause: ours })
}

/**
 * A procedure after `authorize`, with what that adds to the context. It is one middleware, because
 * each costs every request.
 */
export const guarded = <E extends object>(authorize: (ctx: Context, meta: ProcedureMeta | undefined) => Promise<E>) =>
  t.procedure.use(async ({ ctx, meta, path, type, next }) => {
    const added = await authorize(ctx, meta).catch((error) => {
      throw toTrpcError(error, ctx, path)
    })
    const ownerId = ctx.reply.key?.ownerId ?? ctx.reply.ownerId
    // Whoever was answered finds the charge.
    if (type === 'query' && ownerId !== undefined) await waitForWriters(ownerId)
    const result = await next({ ctx: added })
    if (!result.ok) throw toTrpcError(result.error, ctx, path)
    return result
  })

/**
 * The caller of a key that enters, noted for the response and its log line. Throws its refusal.
 */
async function enter({ reply }: Context, entering: Promise<Entry>): Promise<Caller> {
  const entry = await entering
  if (entry.key) {
    const { keyId, ownerId, rate } = entry.key
    reply.key = { keyId, ownerId }
    if (rate) reply.rate = rate
  }
  if ('refusal' in entry) throw entry.refusal
  reply.caller = entry.caller
  return entry.caller
}

/**
 * Authenticates a request, and counts it in its key's minute, once, however many procedures it
 * calls. `entering`: what its hold answers about its key, where that is asked.
 */
export async function authenticateOnce(ctx: Context, entering?: Promise<Entry>): Promise<Caller> {
  if (ctx.via !== 'key') throw new AppError('unauthorized', 'This needs an API key.')
  ctx.reply.entered ??= enter(
    ctx,
    entering ?? withSpan('authenticate', () => authenticateKey(bearerToken(ctx.headers))),
  )
  return ctx.reply.entered
}

/** The caller of a key that may call something: a management key may not. */
async function callingKey(ctx: Context): Promise<Caller> {
  const caller = await authenticateOnce(ctx)
  requireCalls(caller.grants)
  return caller
}

/** The owner of a valid key. The body is read later. */
export const keyProcedure = guarded(async (ctx) => ({ caller: await callingKey(ctx) }))

/** The same for what concerns the whole account: a key that is bound to a customer is refused. */
export const accountKeyProcedure = guarded(async (ctx) => {
  const caller = await callingKey(ctx)
  if (caller.grants.customer)
    throw new AppError('forbidden', 'This key is for one customer: it may not see what the whole account has.', {
      reason: 'customer_bound',
    })
  return { caller }
})

/** Used after `.input`, a key without this scope is refused where its request is right. */
export const hasScope =
  (scope: KeyScope) =>
  <R>({ ctx, next }: { ctx: { caller: Caller }; next: () => Promise<R> }): Promise<R> => {
    requireScope(ctx.caller.grants, scope)
    return next()
  }

/**
 * Who pays for a call, and what a key may do; without `grants`: the member `personId` at the
 * dashboard.
 */
export type Payer = { ownerId: number; keyId: number | null; grants?: CallerGrants; personId?: number }

/**
 * How a billed call comes in. `expected`: who its key belonged to the last time, for its hold to
 * let in. `enter` returns who pays for certain, once: by what the hold answered, or by asking.
 */
export type Entrance<P extends Payer> = {
  expected: (EnteringKey & { caller: P }) | null
  enter: (answered?: Promise<Entry>) => Promise<P>
}

/** A key's entrance with its hold, where its request's small body is here already; else null. */
async function expectedOf(ctx: Context): Promise<Entrance<Caller>['expected']> {
  if (ctx.via !== 'key' || ctx.reply.entered) return null
  // What came together with the head is parsed by the end of this turn.
  if (!ctx.isBodyHere()) await setImmediate()
  const expected = ctx.isBodyHere() ? expectCaller(bearerToken(ctx.headers)) : null
  return expected?.caller.grants.management ? null : expected
}

/**
 * A billed call for the owner of a valid key; its resolver is `billed(…)`. The key of a request
 * whose body is here already enters with the call's hold. Whatever else is wrong with a request,
 * the key's own refusal goes first.
 */
export const billedProcedure = t.procedure.use(async ({ ctx, path, next }) => {
  const fail = (thrown: unknown): never => {
    throw toTrpcError(thrown, ctx, path)
  }
  const expected = await expectedOf(ctx)
  if (!expected) await callingKey(ctx).catch(fail)
  const entrance: Entrance<Caller> = { expected, enter: (answered) => authenticateOnce(ctx, answered) }
  const result = await next({ ctx: { entrance } })
  if (result.ok) return result
  await authenticateOnce(ctx).catch(fail)
  return fail(result.error)
})

/** The caller of a key that was sent, which must be valid; null without one. */
export const authenticateIfKeySent = async (ctx: Context): Promise<Caller | null> =>
  ctx.via === 'key' && bearerToken(ctx.headers) !== null ? authenticateOnce(ctx) : null

/** Anyone: neither a key nor a session is looked at. */
export const visitorProcedure = guarded(async () => ({}))

/** Anyone; a key that is sent must be valid. */
export const openProcedure = guarded(async (ctx) => ({ caller: await authenticateIfKeySent(ctx) }))

/**
 * Who is signed in, by the session cookie. Throws `unauthorized`, and `forbidden` for somebody who
 * must add a second factor first.
 */
async function sessionOf(ctx: Context, meta: ProcedureMeta | undefined): Promise<Session> {
  if (ctx.via !== 'session') throw new AppError('unauthorized', 'Sign in first.')
  const session = await getSession(ctx.headers)
  if (!session) throw new AppError('unauthorized', 'Your session has ended. Sign in again.')
  if (session.lacksFactor && !meta?.reachedWithoutFactor)
    throw new AppError('forbidden', 'You need a second factor here. Add one at /second-factor first.')
  ctx.reply.ownerId = session.account?.accountId ?? session.personId
  return session
}

/** A dashboard's procedure as the middleware of its acts sees it. */
type Act<R> = {
  ctx: { headers: Headers; session: Session }
  meta: ProcedureMeta | undefined
  getRawInput: () => Promise<unknown>
  next: () => Promise<R>
}

/** Asks for a fresh proof where an act needs one, and writes its line into the log of `ownerId`. */
async function doAct<R extends { ok: true } | { ok: false; error: Error }>(
  ownerId: number,
  { ctx, meta, getRawInput, next }: Act<R>,
): Promise<R> {
  if (meta?.stepUp) await stepUp({ ownerId, session: ctx.session }, meta.stepUp, getRawInput)
  const audit = meta?.audit
  if (typeof audit !== 'object') return next()
  const input = await getRawInput()
  const write = (tx: Transaction, output: unknown) => recordAct(tx, { ownerId, ...ctx, ...audit }, { input, output })
  return withLine(write, async () => {
    const result = await next()
    if (!result.ok) throw result.error
    return result
  })
}

/** Whoever is signed in, in what concerns them alone: how they sign in, and to which accounts. */
export const personProcedure = guarded(async (ctx, meta) => {
  const session = await sessionOf(ctx, meta)
  return { person: session.personId, session }
}).use((act) => doAct(act.ctx.person, act))

const accountProcedure = guarded(async (ctx, meta) => {
  const session = await sessionOf(ctx, meta)
  const { account, personId: person } = session
  if (!account) throw new AppError('forbidden', 'You belong to no account here. Ask to be invited to one.')
  requireRole(account.role, meta?.least ?? 'owner')
  return { owner: account.accountId, role: account.role, person, session }
}).use((act) => doAct(act.ctx.owner, act))

/**
 * A member of the account that is looked at (`ctx.owner`) with at least a role; what it changes
 * goes into the account's audit log. Others get `forbidden`.
 */
export const memberProcedure = (least: LeastRole) => accountProcedure.meta({ least })

/** Throws `forbidden`, naming the role that is missing. */
export function requireRole(role: Role, least: LeastRole): void {
  if (!mayAs(role, least))
    throw new AppError('forbidden', `This needs the role ${least}. Yours in this account is ${role}.`)
}

/** Throws `forbidden` with `stepUp` where an act needs a proof that is not there. */
async function stepUp(
  by: { ownerId: number; session: Session },
  rule: true | StepUpRule,
  readInput: () => Promise<unknown>,
): Promise<void> {
  if (rule === true || (await rule(await readInput(), by))) requireRecentProof(by.session)
}

/**
 * A signed-in operator of this service, as the database says at each call. Anybody else gets what a
 * procedure answers that does not exist. Every act needs a fresh proof of who is signed in.
 */
export const adminProcedure = guarded(async (ctx, meta): Promise<{ operator: Operator; session: Session }> => {
  const session = await sessionOf(ctx, meta)
  if (!session.isAdmin) throw new AppError('not_found', 'Not found.')
  return { operator: { email: session.email, origin: originOf(ctx.headers) }, session }
}).use(async ({ ctx, type, next }) => {
  if (type === 'mutation') requireRecentProof(ctx.session)
  return next()
})

/** Writes what somebody who is signed in does into an audit log, in the act's transaction. */
async function recordAct(
  tx: Transaction,
  {
    ownerId,
    headers,
    session,
    action,
    subject,
    detail,
  }: Pick<Act<never>['ctx'], 'headers' | 'session'> & { ownerId: number } & AuditMeta,
  { input, output }: { input: unknown; output: unknown },
): Promise<void> {
  await recordAudit(tx, {
    ownerId,
    action,
    actor: { kind: 'owner', email: session.email },
    subject: subject?.(input, output),
    detail: detail?.(input),
    origin: originOf(headers),
  })
}

export const router = t.router
export const createCallerFactory = t.createCallerFactory
