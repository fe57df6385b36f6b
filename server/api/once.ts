import { createHash } from 'node:crypto'
import { type Transaction, withLine } from '../db'
import { bearerToken, type Caller } from '../keys/authenticate'
import { findManagementAnswer, type OnceRequest, storeManagementAnswer } from '../keys/management-answer'
import { stableJson } from '../kit/stable-json'
import type { Context } from './context'
import { idempotencyToken } from './public/idempotency'

type Call = { ctx: Context & { caller: Caller }; input: unknown }

/** What is done in `run`'s transaction, with what goes into it too, and what is answered. */
type Once<T, A> = {
  run: () => Promise<T>
  record?: (tx: Transaction, made: T) => Promise<void>
  answer: (made: T) => A
}

/**
 * Does a POST that costs nothing. With an Idempotency-Key it is done once within 24 hours, and a
 * repeat gets the same answer. `operation`: what tells it from others with the same input. Throws
 * `idempotency_mismatch` for a repeat that asks for something else.
 */
export async function doOnce<T, A extends object>(
  call: Call,
  operation: string,
  { run, record = async () => {}, answer }: Once<T, A>,
): Promise<A> {
  const once = onceRequest(call, operation)
  const known = once && (await findManagementAnswer(once))
  if (known) return replayed<A>(call, known)
  const write = async (tx: Transaction, made: unknown) => {
    await record(tx, made as T)
    if (once) await storeManagementAnswer(tx, once, answer(made as T))
  }
  try {
    return answer(await withLine(write, run))
  } catch (error) {
    // Of two at once the second is kept out by what the first has stored.
    const first = once && (await findManagementAnswer(once))
    if (!first) throw error
    return replayed<A>(call, first)
  }
}

/** A stored answer is one that the same operation made. */
function replayed<A>({ ctx }: Call, answer: object): A {
  ctx.reply.replayed = true
  return answer as A
}

function onceRequest({ ctx, input }: Call, operation: string): OnceRequest | null {
  const token = ctx.headers.get('idempotency-key')
  if (token === null) return null
  const bodyHash = createHash('sha256')
    .update(stableJson({ action: operation, input }))
    .digest()
  const secret = bearerToken(ctx.headers) ?? ''
  return { keyId: ctx.caller.keyId, token: idempotencyToken(token), secret, bodyHash }
}
