import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '../../errors'
import type { Caller } from '../../keys/authenticate'
import { mayCallTool } from '../../keys/grants'
import { cancelTask } from '../../tools/cancel-task'
import { listTasks } from '../../tools/list-tasks'
import { type CallTask, getTask } from '../../tools/tasks'
import { accountKeyProcedure, keyProcedure, router } from '../trpc'
import { StartedTask, startedTask, TaskStatus, TaskView, viewTask } from './task-view'

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

const NamedTask = TaskInput.pick({ taskId: true })

const TaskPage = z.strictObject({
  status: TaskStatus.optional().describe('Only those in this status'),
  limit: z.int().min(1).max(100).default(20).describe('Rows a page'),
  cursor: z.string().optional().describe('`nextCursor` of the page before'),
})

const TaskList = z.object({
  tasks: z.array(
    StartedTask.extend({
      status: TaskStatus,
      updatedAt: z.iso.datetime(),
      creditsCharged: z.int().describe('0 while it works'),
    }),
  ),
  nextCursor: z.string().nullable(),
})

/** Throws `not_found`, and `forbidden` for a task of a tool that the key may not call. */
async function requireTask({ ownerId, grants }: Caller, taskId: string): Promise<void> {
  const { tool } = await getTask(ownerId, taskId)
  if (tool !== null && !mayCallTool(grants, tool)) throw new AppError('forbidden', `This key may not call ${tool}.`)
}

export const tasksRouter = router({
  list: accountKeyProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/tasks',
        operationId: 'listTasks',
        summary: "List the owner's calls in the background, newest first",
        description: 'Of tools that the key may call, begun within 24 hours over REST.',
        tags: ['Tools'],
        protect: true,
      },
      rest: { schema: 'TaskList' },
    })
    .input(TaskPage)
    .output(TaskList)
    .query(async ({ ctx: { caller }, input }) => {
      const { ownerId, grants } = caller
      const { rows, nextCursor } = await listTasks(ownerId, { ...input, tools: grants.tools })
      const tasks = rows.map(({ status, updatedAt, charged, ...task }) => ({
        ...startedTask(task),
        status,
        updatedAt: updatedAt.toISOString(),
        creditsCharged: charged,
      }))
      return { tasks, nextCursor }
    }),

  get: keyProcedure
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
    .query(async ({ ctx: { caller, signal }, input: { taskId, wait } }) => {
      await requireTask(caller, taskId)
      const task = await waitForEnd(caller.ownerId, taskId, { at: Date.now() + wait * 1_000, gone: signal })
      return viewTask(caller.ownerId, task)
    }),

  cancel: keyProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/tasks/{taskId}/cancel',
        operationId: 'cancelTask',
        summary: 'Cancel a call of a tool that runs in the background',
        description:
          'A call whose provider does not have the request yet is `cancelled` and costs nothing. Any other goes on, is ' +
          'charged, and has its result: it is answered as it is after at most 2.5 seconds.',
        tags: ['Tools'],
        protect: true,
      },
      rest: { schema: 'Task', traits: ['granted', 'named', 'conflicts'] },
    })
    .input(NamedTask)
    .output(TaskView)
    .mutation(async ({ ctx: { caller }, input: { taskId } }) => {
      await requireTask(caller, taskId)
      return viewTask(caller.ownerId, await cancelTask(caller.ownerId, taskId))
    }),
})
