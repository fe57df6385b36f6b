import { createHash } from 'node:crypto'
import { originOf, recordAudit } from '../../accounts/audit'
import type { AuditAction } from '../../accounts/shape'
import { type Transaction, withLine } from '../../db'
import { AppError } from '../../errors'
import type { Caller } from '../../keys/authenticate'
import { requireManagement } from '../../keys/grants'
import type { ManagementGrant, ManagementScope } from '../../keys/shape'
import { stableJson } from '../../kit/stable-json'
import type { Context } from '../context'
import { doOnce } from '../once'
import { authenticateOnce, guarded } from '../trpc'

type ManageContext = Context & { caller: Caller }

/** An operation below /manage, of any valid key: `manages` says which may. */
export const manageProcedure = guarded(async (ctx) => ({ caller: await authenticateOnce(ctx) }))

/** A call with a management key. */
export type ManageCall<I> = { ctx: ManageContext; input: I; ownerId: number; grant: ManagementGrant }

/** Lets management keys with a scope in. Throws `forbidden` for any other key. */
export const manages =
  <I, O>(scope: ManagementScope, resolve: (call: ManageCall<I>) => Promise<O>) =>
  ({ ctx, input }: { ctx: ManageContext; input: I }): Promise<O> => {
    const grant = requireManagement(ctx.caller.grants, scope)
    return resolve({ ctx, input, ownerId: ctx.caller.ownerId, grant })
  }

/** What is done, for the audit log, and what is answered, made of what its transaction returns. */
type Act<T, A> = {
  action: AuditAction
  subject: (made: T) => string
  detail?: Record<string, unknown>
  answer: (made: T) => A
}

/**
 * Does an act of a management key: its line in the audit log is written in the act's transaction.
 */
export async function doAct<T, A extends object>(call: ManageCall<unknown>, act: Act<T, A>, run: () => Promise<T>) {
  return act.answer(await withLine((tx, made) => recordKeyAct(tx, call, act, made as T), run))
}

/**
 * The same for a POST: with an Idempotency-Key it is done once within 24 hours, and a repeat gets
 * the same answer. Throws `idempotency_mismatch` for a repeat that asks for something else.
 */
export async function doActOnce<T, A extends object>(
  call: ManageCall<unknown>,
  act: Act<T, A>,
  run: () => Promise<T>,
): Promise<A> {
  const record = (tx: Transaction, made: T) => recordKeyAct(tx, call, act, made)
  return doOnce(call, act.action, { run, record, answer: act.answer })
}

async function recordKeyAct<T>(
  tx: Transaction,
  { ctx, ownerId }: ManageCall<unknown>,
  { action, subject, detail }: Pick<Act<T, unknown>, 'action' | 'subject' | 'detail'>,
  made: T,
): Promise<void> {
  const key = await tx.key.findFirst({ where: { id: ctx.caller.keyId, ownerId }, select: { name: true } })
  await recordAudit(tx, {
    ownerId,
    action,
    actor: { kind: 'key', email: key?.name ?? null },
    subject: subject(made),
    detail,
    origin: originOf(ctx.headers),
  })
}

/** The ETag of a version: what of it is chosen, not what changes with each call. */
export const etagOf = (chosen: object): string =>
  `"${createHash('sha256').update(stableJson(chosen)).digest('base64url').slice(0, 22)}"`

/** Throws `precondition_failed` where a request names another version in `If-Match`. */
export function requireMatch({ ctx }: ManageCall<unknown>, etag: string): void {
  const given = ctx.headers.get('if-match')
  if (given === null) return
  const tags = given.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (tags.includes('*') || tags.includes(etag)) return
  throw new AppError('precondition_failed', 'This has changed since you read it. Read it again, then change it.')
}
