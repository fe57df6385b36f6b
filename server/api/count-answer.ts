import type { AppError } from '../errors'
import { countRequest } from '../request-log/count-requests'
import { type NotedRefusal, noteRefusal } from '../request-log/note-refusal'
import { REFUSAL_STATUSES } from '../request-log/shape'
import type { ResponseMeta } from './context'

/** A request, answered. `ms`: until its answer began. */
type Answer = { requestId: string; status: number; ms: number }

/**
 * Counts a request of a key that exists, and notes why it was refused. MCP answers a failed call
 * with 200: what it failed with counts.
 */
export function countAnswer({ key, failure, refused, called }: ResponseMeta, answer: Answer): void {
  if (!key) return
  const status = failure ?? answer.status
  const isRefusal = refused?.error.status === status && REFUSAL_STATUSES.has(status) && !refused.error.charge
  const error = isRefusal ? refused.error : null
  const limit = error && limitOf(error)
  countRequest({ ...key, status, limitName: limit?.limitName, ms: answer.ms })
  if (!error || !refused) return
  const { code, reason, message } = error
  noteRefusal({
    ...{ ...key, ...limit, id: answer.requestId, status, code, reason, message },
    ...{ operation: refused.operation.replace(/^public\./, ''), called },
  })
}

/** The limit that an error names: an account's own budget by its name, the others by their kind. */
function limitOf({ code, detail }: AppError): Pick<NotedRefusal, 'limitSource' | 'limitName'> {
  const { limitSource, limit } = detail as { limitSource?: string; limit?: { name: string } }
  if (limitSource === 'budget' && limit) return { limitSource, limitName: limit.name }
  if (limitSource) return { limitSource, limitName: limitSource.replace('_', ' ') }
  return code === 'rate_limited' ? { limitSource: 'rate', limitName: limit?.name ?? 'rate' } : {}
}
