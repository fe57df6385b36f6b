import { toAppError } from '../../api/trpc'
import { AppError } from '../../errors'
import { runInBackground } from '../../kit/background'
import type { Exchange } from '../handler'
import { callerFor } from '../procedure'
import type { CallInput } from './request'
import { failedResult, successResult } from './results'
import type { TaskOperations } from './tasks'

/** The tasks extension for one request. `input` is that of its tools/call. */
export function taskOperations(exchange: Exchange, input: CallInput): TaskOperations {
  const { requestId } = exchange
  const stop = new AbortController()
  // The call goes on when its request is answered.
  const { mcp } = callerFor({ ...exchange, signal: stop.signal }, 'key').public

  async function answerOf(name: string): Promise<Record<string, unknown> | null> {
    try {
      return successResult(await mcp.runTool({ name, ...input, isTask: true }), { ...exchange, takesLinks: true })
    } catch (thrown) {
      const error = toAppError(thrown)
      const isCancelled = stop.signal.aborted && error.code === 'conflict' && !error.charge
      return isCancelled ? null : failedResult(error, exchange)
    }
  }

  return {
    start: async (name) => {
      const task = await mcp.startTask({ name, ...input })
      // Of an earlier call with this Idempotency-Key, or null.
      if (task?.id !== requestId) return task
      const work = answerOf(name).then((result) => mcp.finishTask({ result }))
      runInBackground(work, { id: task.id, stop })
      return task
    },
    get: async (taskId) => {
      const { outcome, ...task } = await mcp.getTask({ taskId })
      if (!outcome) return task
      const answered = { requestId: taskId, takesLinks: true }
      const isFailed = outcome instanceof AppError
      return { ...task, result: isFailed ? failedResult(outcome, answered) : successResult(outcome, answered) }
    },
    cancel: async (taskId) => void (await mcp.cancelTask({ taskId })),
  }
}
