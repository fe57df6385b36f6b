import { createHash } from 'node:crypto'
import { originOf, recordAudit } from '../../accounts/audit'
import type { AuditAction } from '../../accounts/shape'
import { type Transaction, withLine } from '../../db'
import { AppError } from '../../errors'
import { bearerToken, type Caller } from '../../keys/authenticate'
import { requireManagement } from '../../keys/grants'
import { findManagementAnswer, type OnceRequest, storeManagementAnswer } from '../../keys/management-answer'
import type { ManagementGrant, ManagementScope } from '../../keys/shape'
import { stableJson } from '../../kit/stable-json'
import type { Context } from '../context'
import { idempotencyToken } from '../public/idempotency'
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
  const once = onceRequest(call, act.action)
  if (!once) return doAct(call, act, run)
  const known = await findManagementAnswer(once)
  if (known) return replayed<A>(call, known)
  const write = async (tx: Transaction, made: unknown) => {
    await recordKeyAct(tx, call, act, made as T)
    await storeManagementAnswer(tx, once, act.answer(made as T))
  }
  try {
    return act.answer(await withLine(write, run))
  } catch (error) {
    // Of two at once the second is kept out by what the first has stored.
    const first = await findManagementAnswer(once)
    if (!first) throw error
    return replayed<A>(call, first)
  }
}

/** A stored answer is one that the same operation made. */
function replayed<A>({ ctx }: ManageCall<unknown>, answer: object): A {
  ctx.reply.replayed = true
  return answer as A
}

function onceRequest({ ctx, input }: ManageCall<unknown>, action: AuditAction): OnceRequest | null {
  const token = ctx.headers.get('idempotency-key')
  if (token === null) return null
  const bodyHash = createHash('sha256').update(stableJson({ action, input })).digest()
  const secret = bearerToken(ctx.headers) ?? ''
  return { keyId: ctx.caller.keyId, token: idempotencyToken(token), secret, bodyHash }
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
