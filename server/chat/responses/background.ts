import { setTimeout as sleep } from 'node:timers/promises'
import { settleRun } from '../../credits/perform'
import type { CallPlan, Held, Ran, Unsettled } from '../../credits/plan'
import { settleHold } from '../../credits/settle'
import { prisma } from '../../db'
import { AppError } from '../../errors'
import { runInBackground, stopInBackground } from '../../kit/background'
import { log } from '../../kit/log'
import type { UnknownRecord } from '../../kit/record'
import { createTask, finishTask } from '../../tools/tasks'
import type { CompletionAnswer } from '../complete'
import { findResponse, viewResponse } from './find'
import type { Keeping } from './keep'
import { findKept, postponeExpiry, rewriteRow, writeRow } from './rows'

/** How often a call looks whether it was cancelled or deleted, milliseconds. */
const LOOK_MS = 2_000
/** How often and how long an answer is written again while the database is away, milliseconds. */
const RETRY_MS = 1_000
const RETRY_FOR_MS = 120_000
/** How long a caller who cancels waits for the end, milliseconds. */
const CANCEL_WAIT_MS = 5_000

type Background = { keeping: Keeping; opening: UnknownRecord; stop: AbortController }

/**
 * A completion that goes on when its request is answered: with `opening`, its response as it
 * begins. It is a task, as MCP clients poll them: its answer is written before it is charged, and
 * where its process dies it is charged once or not at all, and read accordingly.
 */
export const inBackground = (
  plan: CallPlan<Ran<CompletionAnswer>>,
  call: Background,
): CallPlan<Ran<CompletionAnswer>> => ({
  ...plan,
  run: async (held): Promise<Ran<CompletionAnswer>> => {
    await begin(plan, call, held)
    return { kind: 'streams', outcome: { kind: 'json', body: call.opening, charged: 0 } }
  },
})

async function begin(plan: CallPlan<Ran<CompletionAnswer>>, call: Background, held: Held): Promise<void> {
  const { keeping, opening, stop } = call
  const { id, ownerId, input, used } = keeping
  const { previousId, conversationId } = used
  try {
    await createTask(ownerId, id)
    const row = { id, kind: 'response', previousId, conversationId, isEnded: false } as const
    if (!(await writeRow(keeping, row, { input, response: opening })))
      throw new AppError('conflict', 'This account keeps 4 GiB of responses. Delete some, or wait until they expire.')
    await postponeExpiry(keeping, used)
  } catch (error) {
    await settleHold({ id, ownerId, held: held.amount, actual: 0n, status: 'void' })
    throw error
  }
  runInBackground(finish(plan, call, held), { id, stop })
}

async function finish(plan: CallPlan<Ran<CompletionAnswer>>, call: Background, held: Held): Promise<void> {
  const { keeping, stop } = call
  const timer = setInterval(() => void stopIfUnwanted(keeping, stop), LOOK_MS)
  try {
    const ran = await plan.run(held)
    if (ran.kind === 'streams') throw new Error('a response in the background was streamed')
    await keepAndCharge(ran, call)
    await finishTask(keeping.id, {})
  } catch (error) {
    const isCancelled = stop.signal.aborted
    if (!isCancelled && !(error instanceof AppError))
      log.error({ requestId: keeping.id, err: String(error) }, 'a response in the background failed')
    await write(call, { ...call.opening, ...(isCancelled ? { status: 'cancelled' } : failure(error)) })
    await finishTask(keeping.id, isCancelled ? null : {})
  } finally {
    clearInterval(timer)
  }
}

const failure = (error: unknown): UnknownRecord => ({
  status: 'failed',
  error:
    error instanceof AppError
      ? { code: error.code, message: error.message }
      : { code: 'server_error', message: 'Something went wrong on our side.' },
})

/** What is stored with the charge of a response: where it is. */
const storedPlace = (id: string): string => JSON.stringify({ response: id })

/** The response that `storedPlace` named; null: another answer was stored. */
export const placeIn = ({ response }: UnknownRecord): string | null => (typeof response === 'string' ? response : null)

async function keepAndCharge({ settlement, ...rest }: Unsettled<CompletionAnswer>, call: Background): Promise<void> {
  const { keeping } = call
  const response: UnknownRecord = JSON.parse(settlement.answer?.body ?? '{}')
  if (!(await write(call, response, { isEnded: false }))) {
    // Nobody can read it: it is not charged.
    await settleHold({ ...settlement, actual: 0n, status: 'void', answer: undefined })
    return
  }
  const answer = { status: 200, body: storedPlace(keeping.id) }
  await settleRun({ ...rest, settlement: { ...settlement, answer } })
  await prisma()
    .modelResponse.updateMany({ where: { id: keeping.id, ownerId: keeping.ownerId }, data: { isEnded: true } })
    .catch((error: unknown) => log.warn({ requestId: keeping.id, err: String(error) }, 'a response has no end'))
}

/** Writes what became of a call; false: its response was deleted, or the database is away. */
async function write(
  { keeping }: Background,
  response: UnknownRecord,
  { isEnded } = { isEnded: true },
): Promise<boolean> {
  const { ownerId, id, input } = keeping
  const deadline = Date.now() + RETRY_FOR_MS
  for (;;) {
    try {
      return await rewriteRow(ownerId, id, { input, response, isEnded })
    } catch (error) {
      if (Date.now() > deadline) {
        log.error({ requestId: id, err: String(error) }, 'a response could not be kept')
        return false
      }
      await sleep(RETRY_MS)
    }
  }
}

/** Stops a call whose response was cancelled or deleted, by whichever process was asked. */
async function stopIfUnwanted({ ownerId, id }: Keeping, stop: AbortController): Promise<void> {
  const row = await prisma()
    .modelResponse.findFirst({ where: { id, ownerId }, select: { cancelledAt: true } })
    .catch(() => undefined)
  if (row === null || row?.cancelledAt) stop.abort()
}

/**
 * Stops a response in the background, and returns it as it is then. One that has ended stays as it
 * is. What the model had been asked by then is charged. Throws `not_found`, and `invalid_request`
 * for a response that was not made in the background.
 */
export async function cancelResponse(ownerId: number, id: string): Promise<UnknownRecord> {
  const row = await findResponse(ownerId, id)
  if (row.response?.background !== true)
    throw new AppError('invalid_request', 'Only a response that was created with background: true can be cancelled.')
  if (!row.isEnded) {
    await prisma().modelResponse.updateMany({ where: { id: row.id, ownerId }, data: { cancelledAt: new Date() } })
    stopInBackground(row.id)
  }
  for (const until = Date.now() + CANCEL_WAIT_MS; ; ) {
    const response = await viewResponse(ownerId, (await findKept(ownerId, row.id, 'response')) ?? row)
    if (response.status !== 'in_progress' || Date.now() > until) return response
    await sleep(100)
  }
}
