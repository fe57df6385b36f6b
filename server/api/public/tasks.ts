import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '../../errors'
import { mayCallTool } from '../../keys/grants'
import { type CallTask, getTask } from '../../tools/tasks'
import { keyProcedure } from '../trpc'
import { TaskView, viewTask } from './task-view'

/** How often a task that is waited for is read, milliseconds. */
const LOOK_MS = 500

/** A task once it has ended, or as it is when the time is over or its reader has left. */
async function waitForEnd(
  ownerId: number,
  taskId: string,
  until: { at: number; gone: AbortSignal },
): Promise<CallTask> {
  for (;;) {
    const task = await getTask(ownerId, taskId)
    if (task.status !== 'working' || Date.now() >= until.at || until.gone.aborted) return task
    await sleep(LOOK_MS, undefined, { signal: until.gone }).catch(() => {})
  }
}

const TaskInput = z.strictObject({
  taskId: z.string().describe('The task, from the 202 of the call'),
  wait: z
    .int()
    .min(0)
    .max(30)
    .default(0)
    .describe('Seconds to wait for its end: it is answered when it has ended, at the latest after these'),
})

export const taskProcedure = keyProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/tasks/{taskId}',
      operationId: 'getTask',
      summary: 'Poll a call of a tool that runs in the background',
      tags: ['Tools'],
      protect: true,
    },
    rest: { schema: 'Task', traits: ['granted', 'named'] },
  })
  .input(TaskInput)
  .output(TaskView)
  .query(async ({ ctx, input: { taskId, wait } }) => {
    const { ownerId, grants } = ctx.caller
    const { tool } = await getTask(ownerId, taskId)
    if (tool !== null && !mayCallTool(grants, tool)) throw new AppError('forbidden', `This key may not call ${tool}.`)
    const task = await waitForEnd(ownerId, taskId, { at: Date.now() + wait * 1_000, gone: ctx.signal })
    return viewTask(ownerId, task)
  })
