import {
  type CursorPosition,
  decodeCursor,
  decodeSortedCursor,
  type SortedOrder,
  type SortedPosition,
} from './kit/cursor'
import { QueueFullError } from './kit/fair-slots'

/**
 * One row per way to say no: the code on the wire, its HTTP status, tRPC's name for it, and the
 * chat envelope's type.
 */
export const ERROR_CODES = {
  invalid_request: { status: 400, trpc: 'BAD_REQUEST', chat: 'invalid_request_error' },
  unknown_tool: { status: 400, trpc: 'BAD_REQUEST', chat: 'invalid_request_error' },
  unknown_model: { status: 400, trpc: 'BAD_REQUEST', chat: 'invalid_request_error' },
  unauthorized: { status: 401, trpc: 'UNAUTHORIZED', chat: 'authentication_error' },
  insufficient_credits: { status: 402, trpc: 'PAYMENT_REQUIRED', chat: 'insufficient_quota' },
  forbidden: { status: 403, trpc: 'FORBIDDEN', chat: 'permission_error' },
  not_found: { status: 404, trpc: 'NOT_FOUND', chat: 'invalid_request_error' },
  method_not_allowed: { status: 405, trpc: 'METHOD_NOT_SUPPORTED', chat: 'invalid_request_error' },
  conflict: { status: 409, trpc: 'CONFLICT', chat: 'invalid_request_error' },
  payload_too_large: { status: 413, trpc: 'PAYLOAD_TOO_LARGE', chat: 'invalid_request_error' },
  unsupported_media_type: { status: 415, trpc: 'UNSUPPORTED_MEDIA_TYPE', chat: 'invalid_request_error' },
  idempotency_mismatch: { status: 422, trpc: 'UNPROCESSABLE_CONTENT', chat: 'invalid_request_error' },
  rate_limited: { status: 429, trpc: 'TOO_MANY_REQUESTS', chat: 'rate_limit_error' },
  internal_error: { status: 500, trpc: 'INTERNAL_SERVER_ERROR', chat: 'server_error' },
  upstream_error: { status: 502, trpc: 'BAD_GATEWAY', chat: 'upstream_error' },
  unavailable: { status: 503, trpc: 'SERVICE_UNAVAILABLE', chat: 'server_error' },
} as const

export type ErrorCode = keyof typeof ERROR_CODES

export type Issue = { path: string; message: string }

/**
 * Credits that were billed although the call failed. Printed as the `service` block, and only when
 * present.
 */
export type Charge = { credits: number }

type Extra = {
  /** Further top-level fields of the error body: `issues`, `limitSource`, `creditsSpent`, … */
  detail?: Record<string, unknown>
  /** Seconds after which a retry makes sense; becomes the Retry-After header. */
  retryAfter?: number
  charge?: Charge
  cause?: unknown
}

/**
 * The only error that modules throw. A refusal has no `charge`; a failure after something ran has
 * one. The message is written for the caller; what must stay inside goes into `cause`, which is
 * only logged.
 */
export class AppError extends Error {
  readonly detail: Record<string, unknown>
  readonly retryAfter: number | undefined
  readonly charge: Charge | undefined

  constructor(
    readonly code: ErrorCode,
    message: string,
    { detail = {}, retryAfter, charge, cause }: Extra = {},
  ) {
    super(message, { cause })
    this.name = 'AppError'
    this.detail = detail
    this.retryAfter = retryAfter
    this.charge = charge
  }

  get status(): number {
    return ERROR_CODES[this.code].status
  }

  /** The same error, with what it cost. */
  charged(credits: number): AppError {
    const { code, message, detail, retryAfter, cause } = this
    return new AppError(code, message, { detail, retryAfter, cause, charge: { credits } })
  }
}

/** An error as it is stored for a repeat: the fields of its body. */
export type StoredError = { error?: unknown; code?: unknown; retryAfter?: unknown; [field: string]: unknown }

/** A stored error as it was thrown, without its charge. */
export function asAppError({ error, code, retryAfter: seconds, ...detail }: StoredError): AppError {
  const known = typeof code === 'string' && code in ERROR_CODES ? (code as ErrorCode) : 'upstream_error'
  return new AppError(known, String(error), { detail, retryAfter: typeof seconds === 'number' ? seconds : undefined })
}

/** Issues in one error, and characters of each path and message: both may repeat a request. */
const MAX_ISSUES = 20
const MAX_ISSUE_TEXT = 500

/** `invalid_request` with the first issues of a zod error. */
export function invalidRequest(issues: readonly { path: readonly PropertyKey[]; message: string }[]): AppError {
  const list: Issue[] = issues.slice(0, MAX_ISSUES).map(({ path, message }) => ({
    path: path.map(String).join('.').slice(0, MAX_ISSUE_TEXT),
    message: message.slice(0, MAX_ISSUE_TEXT),
  }))
  const first = list[0]
  const text = first ? `${first.path ? `${first.path}: ` : ''}${first.message}` : 'The request is not valid.'
  return new AppError('invalid_request', text, { detail: { issues: list } })
}

/**
 * Where a page begins after; null: at the top. Throws `invalid_request` for what is not a cursor of
 * this list, whose ids `isId` knows.
 */
export function readCursor(cursor: string | undefined, isId: (id: string) => boolean): CursorPosition | null {
  if (cursor === undefined) return null
  const position = decodeCursor(cursor)
  if (!position || !isId(position.id)) throw invalidCursor()
  return position
}

/**
 * Where a page of a list in some order begins after; null: at the top. Throws `invalid_request`.
 */
export function readSortedCursor(
  cursor: string | undefined,
  { isId, ...order }: SortedOrder & { isId: (id: string) => boolean },
): SortedPosition | null {
  if (cursor === undefined) return null
  const position = decodeSortedCursor(cursor, order)
  if (!position || !isId(position.id)) throw invalidCursor()
  return position
}

/** `invalid_request` for what is not the `nextCursor` of a list. */
export const invalidCursor = (): AppError =>
  invalidRequest([{ path: ['cursor'], message: 'is not a nextCursor of this list' }])

/** `unavailable` for a call that a shutdown cannot wait for any longer. */
export const restarting = (): AppError =>
  new AppError('unavailable', 'The service is restarting. Send the request again.', { retryAfter: 1 })

/**
 * `conflict` for a destructive action without approval: what it depends on has changed since the
 * check. The next attempt asks a person. `what` begins the sentence.
 */
export const needsApproval = (what: string): AppError =>
  new AppError('conflict', `${what} needs approval, and nobody was asked. Nothing was done: try again to ask.`)

/** When to retry after a queue was full, in seconds. */
const QUEUE_RETRY_S = 5

/** `unavailable` for a queue of tasks that is full; any other error as it is. */
export function tooManyWaiting(error: unknown): unknown {
  if (!(error instanceof QueueFullError)) return error
  const why = error.isOwners ? 'Too many calls of this account are waiting.' : 'The gateway is too busy.'
  return new AppError('unavailable', `${why} Try again in a few seconds.`, { retryAfter: QUEUE_RETRY_S })
}
