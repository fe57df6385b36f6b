import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Idempotency } from '../../credits/hold-request'
import { AppError, tooManyWaiting } from '../../errors'
import type { Caller } from '../../keys/authenticate'
import { makeFairSlots } from '../../kit/fair-slots'
import { uuidv7 } from '../../kit/id'
import { stableJson } from '../../kit/stable-json'
import { billed } from '../billed'
import type { Context, ResponseMeta } from '../context'
import { wholeErrorBody } from '../error-body'
import { authenticateOnce, keyProcedure, toAppError } from '../trpc'
import { idempotencyToken, makeIdempotency } from './idempotency'
import { CallbackUrl, prefersTask } from './query'
import { readCallbackUrl, startToolTask } from './start-task'
import { checkToolCall, ToolRequest } from './tool-call'

const MAX_CALLS = 100
/** A batch begins no call after this: its answer comes within the time of common clients. */
const BEGIN_WITHIN_MS = 200_000

const BatchCall = ToolRequest.extend({
  idempotencyKey: z.string().min(1).max(255).optional().describe('Of this call, in place of one made from the header'),
})
type BatchCall = z.infer<typeof BatchCall>

const BatchInput = z.strictObject({
  calls: z.array(BatchCall).min(1).max(MAX_CALLS).describe('The calls, independent of each other'),
  callbackUrl: CallbackUrl,
})

const BatchResult = z.object({
  status: z.int().describe('What POST /query would have answered'),
  requestId: z.string().describe("The id of the call's receipt"),
  replayed: z.boolean().describe('It is the stored answer of an earlier call'),
  body: z.looseObject({}).describe('The result with the billing block, a task, or the error body'),
})
type BatchResult = z.infer<typeof BatchResult>

const BatchOutput = z.object({
  results: z.array(BatchResult).describe('In the order of the calls'),
  succeeded: z.int(),
  failed: z.int(),
  creditsCharged: z.int().describe('The sum over all results; a task is charged later'),
})

/**
 * Calls of batches that run in this process: a few of each owner, however many batches it sends, so
 * that its other calls and other owners have theirs.
 */
const slots = makeFairSlots({ slots: 64, perOwner: 8, queuedPerOwner: 10 * MAX_CALLS, queued: 100 * MAX_CALLS })

/** The same of those that became tasks. What waits has its hold, which bounds how many can. */
const taskSlots = makeFairSlots({ slots: 64, perOwner: 8, queuedPerOwner: Infinity, queued: Infinity })

/** No caller's Idempotency-Key has a space, so a key made here is nobody else's. */
function idempotencyAt(call: BatchCall, place: { key: string | null; index: number; reply: ResponseMeta }) {
  const { tool, params, idempotencyKey } = call
  const bodyHash = createHash('sha256').update(stableJson({ tool, params })).digest()
  const given: Idempotency | undefined =
    idempotencyKey === undefined
      ? undefined
      : makeIdempotency(idempotencyKey, bodyHash, { channel: 'rest', reply: place.reply })
  if (given) return given
  return place.key === null ? undefined : { token: `batch ${place.index} ${place.key}`, bodyHash }
}

type Batch = {
  ctx: Context
  first: Caller
  key: string | null
  callbackUrl: string | null
  isAsync: boolean
  begun: number
}

const answerCall = billed(
  ({ ctx, input, by }: { ctx: Context; input: BatchCall & { idempotency: Idempotency | undefined }; by: Caller }) =>
    checkToolCall(ctx, input, { by, idempotency: input.idempotency, signal: ctx.signal }),
)

/** One call as if it had been sent alone: counted in the key's minute, with its own receipt. */
async function runCall(batch: Batch, call: BatchCall, index: number): Promise<BatchResult> {
  const requestId = uuidv7()
  const reply: ResponseMeta = {}
  const ctx: Context = { ...batch.ctx, requestId, reply, isBodyHere: () => false }
  const { ownerId } = batch.first
  const answer = async (): Promise<Record<string, unknown>> => {
    // The request itself was counted for the first call.
    const by = index === 0 ? batch.first : await authenticateOnce(ctx)
    const idempotency = idempotencyAt(call, { ...batch, index, reply })
    if (batch.isAsync) {
      const { callbackUrl } = batch
      return startToolTask(ctx, call, {
        by,
        idempotency,
        callbackUrl,
        turn: (stop) => taskSlots.take(String(ownerId), stop),
      })
    }
    const entrance = { expected: null, enter: async () => by }
    return answerCall({ ctx: { ...ctx, entrance }, input: { ...call, idempotency } })
  }
  let end = () => {}
  try {
    end = await slots.take(String(ownerId), ctx.signal)
    if (Date.now() - batch.begun > BEGIN_WITHIN_MS) throw tooLate()
    const body = await answer()
    return { status: reply.status ?? 200, requestId, replayed: reply.replayed ?? false, body }
  } catch (thrown) {
    const error = toAppError(tooManyWaiting(thrown))
    return { status: error.status, requestId, replayed: reply.replayed ?? false, body: wholeErrorBody(error) }
  } finally {
    end()
  }
}

const tooLate = () =>
  new AppError('unavailable', 'This batch takes too long: the call was not begun. Send it again, or use tasks.', {
    retryAfter: 1,
  })

const chargeOf = ({ service }: BatchResult['body']): number =>
  (service as { credits_charged: number } | undefined)?.credits_charged ?? 0

export const batchProcedure = keyProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/query/batch',
      operationId: 'queryBatch',
      summary: `Call up to ${MAX_CALLS} tools`,
      description:
        'Each call is as if it had been sent alone: it counts in the key’s minute, has its own receipt, and its own ' +
        'refusal or failure, which stops no other. Eight run at the same time. The Idempotency-Key of the batch makes ' +
        'one for each call by its place. With `Prefer: respond-async`, or `callbackUrl`, each becomes a task.',
      tags: ['Tools'],
      protect: true,
    },
    rest: { schema: 'BatchResult', headers: ['prefer', 'idempotency-key'], traits: ['each'] },
  })
  .input(BatchInput)
  .output(BatchOutput)
  .mutation(async ({ ctx, input: { calls, callbackUrl: callback } }) => {
    const header = ctx.headers.get('idempotency-key')
    const batch: Batch = {
      ctx,
      first: ctx.caller,
      key: header === null ? null : idempotencyToken(header),
      callbackUrl: await readCallbackUrl(ctx.caller.ownerId, callback),
      isAsync: callback !== undefined || prefersTask(ctx.headers),
      begun: Date.now(),
    }
    const results = await Promise.all(calls.map((call, index) => runCall(batch, call, index)))
    const failed = results.filter(({ status }) => status >= 400).length
    const creditsCharged = results.reduce((sum, { replayed, body }) => sum + (replayed ? 0 : chargeOf(body)), 0)
    return { results, succeeded: results.length - failed, failed, creditsCharged }
  })
