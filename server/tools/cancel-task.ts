import { setTimeout as sleep } from 'node:timers/promises'
import { prisma, runStatement } from '../db'
import { AppError } from '../errors'
import { stopInBackground, stoppableWork } from '../kit/background'
import { lazy } from '../kit/lazy'
import { log } from '../kit/log'
import { statement } from '../kit/statement'
import { type CallTask, getTask } from './tasks'

/** How often a process looks whether tasks that it runs were cancelled in another, milliseconds. */
const LOOK_MS = 1_000
/** How long a caller who cancels waits for the end, milliseconds. */
const WAIT_MS = 2_500

const REQUESTED = statement({
  name: 'mcp_task_cancel_requested',
  sql: 'SELECT id FROM mcp_task WHERE id = ANY ($1) AND cancel_requested',
  params: ['uuid[]'],
  columns: { id: 'uuid' },
})

/** True for the error of a call that was stopped before its provider had the request. */
export const wasCancelled = (error: AppError, stop: AbortSignal): boolean =>
  stop.aborted && error.code === 'conflict' && !error.charge

/** From now on this process stops the tasks that it runs and that were cancelled in another. */
export const watchCancels = lazy(() => setInterval(() => void stopRequested(), LOOK_MS).unref())

async function stopRequested(): Promise<void> {
  const ids = stoppableWork()
  if (ids.length === 0) return
  try {
    for (const { id } of await runStatement(REQUESTED, [ids])) stopInBackground(id)
  } catch (error) {
    log.warn({ err: String(error) }, 'cancelled tasks could not be read')
  }
}

/**
 * Stops a task whose provider does not have the request yet: it is cancelled, and costs nothing.
 * Otherwise the call goes on to its end, is charged, and has its result. Returns the task as it is
 * then. Throws `not_found`, and `conflict` for a task that had ended before.
 */
export async function cancelTask(ownerId: number, id: string): Promise<CallTask> {
  const before = await getTask(ownerId, id)
  if (before.status === 'cancelled') return before
  if (before.status !== 'working')
    throw new AppError('conflict', `This task has ended already: it is ${before.status}.`)
  await prisma().mcpTask.updateMany({ where: { id, ownerId }, data: { cancelRequested: true } })
  stopInBackground(id)
  for (const until = Date.now() + WAIT_MS; ; ) {
    const task = await getTask(ownerId, id)
    if (task.status !== 'working' || Date.now() >= until) return task
    await sleep(100)
  }
}
