import {
  type CursorPosition,
  decodeCursor,
  decodeSortedCursor,
  type SortedOrder,
  type SortedPosition,
} from './kit/cursor'
import { QueueFullError } from './kit/fair-slots'

/** Why something was refused or failed, finer than its code, and whether a repeat may succeed. */
export const REASONS = {
  invalid_input: false,
  not_found: false,
  not_public: false,
  unauthorized: false,
  not_granted: false,
  suspended: false,
  customer_suspended: false,
  customer_bound: false,
  method_not_allowed: false,
  unsupported_media_type: false,
  too_large: false,
  conflict: false,
  changed: false,
  in_progress: true,
  not_stored: false,
  insufficient_credits: false,
  credits_reserved: true,
  credits_exhausted: false,
  idempotency_mismatch: false,
  rate_limited: true,
  client_disconnected: true,
  internal_error: false,
  unavailable: true,
  blocked: false,
  refused: false,
  unreadable: false,
  timeout: true,
  provider_error: true,
  provider_unreachable: true,
  provider_access: false,
} as const satisfies Record<string, boolean>

export type Reason = keyof typeof REASONS

/**
 * One row per way to say no: the code on the wire, its HTTP status, tRPC's name for it, the chat
 * envelope's type, and the reason where nothing finer is known.
 */
export const ERROR_CODES = {
  invalid_request: { status: 400, trpc: 'BAD_REQUEST', chat: 'invalid_request_error', reason: 'invalid_input' },
  unknown_tool: { status: 400, trpc: 'BAD_REQUEST', chat: 'invalid_request_error', reason: 'not_found' },
  unknown_model: { status: 400, trpc: 'BAD_REQUEST', chat: 'invalid_request_error', reason: 'not_found' },
  unauthorized: { status: 401, trpc: 'UNAUTHORIZED', chat: 'authentication_error', reason: 'unauthorized' },
  insufficient_credits: {
    status: 402,
    trpc: 'PAYMENT_REQUIRED',
    chat: 'insufficient_quota',
    reason: 'insufficient_credits',
  },
  forbidden: { status: 403, trpc: 'FORBIDDEN', chat: 'permission_error', reason: 'not_granted' },
  not_found: { status: 404, trpc: 'NOT_FOUND', chat: 'invalid_request_error', reason: 'not_found' },
  method_not_allowed: {
    status: 405,
    trpc: 'METHOD_NOT_SUPPORTED',
    chat: 'invalid_request_error',
    reason: 'method_not_allowed',
  },
  conflict: { status: 409, trpc: 'CONFLICT', chat: 'invalid_request_error', reason: 'conflict' },
  precondition_failed: { status: 412, trpc: 'PRECONDITION_FAILED', chat: 'invalid_request_error', reason: 'changed' },
  payload_too_large: { status: 413, trpc: 'PAYLOAD_TOO_LARGE', chat: 'invalid_request_error', reason: 'too_large' },
  unsupported_media_type: {
    status: 415,
    trpc: 'UNSUPPORTED_MEDIA_TYPE',
    chat: 'invalid_request_error',
    reason: 'unsupported_media_type',
  },
  idempotency_mismatch: {
    status: 422,
    trpc: 'UNPROCESSABLE_CONTENT',
    chat: 'invalid_request_error',
    reason: 'idempotency_mismatch',
  },
  rate_limited: { status: 429, trpc: 'TOO_MANY_REQUESTS', chat: 'rate_limit_error', reason: 'rate_limited' },
  internal_error: { status: 500, trpc: 'INTERNAL_SERVER_ERROR', chat: 'server_error', reason: 'internal_error' },
  upstream_error: { status: 502, trpc: 'BAD_GATEWAY', chat: 'upstream_error', reason: 'provider_error' },
  unavailable: { status: 503, trpc: 'SERVICE_UNAVAILABLE', chat: 'server_error', reason: 'unavailable' },
} as const satisfies Record<string, { status: number; trpc: string; chat: string; reason: Reason }>

export type ErrorCode = keyof typeof ERROR_CODES

export type Issue = { path: string; message: string }

/**
 * Credits that were billed although the call failed. Printed as the `service` block, and only when
 * present.
 */
export type Charge = { credits: number }

type Extra = {
  /** Default: that of the code. */
  reason?: Reason
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
  readonly reason: Reason
  readonly detail: Record<string, unknown>
  readonly retryAfter: number | undefined
  readonly charge: Charge | undefined

  constructor(
    readonly code: ErrorCode,
    message: string,
    { reason, detail = {}, retryAfter, charge, cause }: Extra = {},
  ) {
    super(message, { cause })
    this.name = 'AppError'
    this.reason = reason ?? ERROR_CODES[code].reason
    this.detail = detail
    this.retryAfter = retryAfter
    this.charge = charge
  }

  get status(): number {
    return ERROR_CODES[this.code].status
  }

  /** The same error, with what it cost. */
  charged(credits: number): AppError {
    const { code, message, reason, detail, retryAfter, cause } = this
    return new AppError(code, message, { reason, detail, retryAfter, cause, charge: { credits } })
  }

  /** What every body says of an error for programs, in each envelope. */
  get fields(): Record<string, unknown> {
    return { code: this.code, reason: this.reason, retryable: REASONS[this.reason], ...this.detail }
  }
}

/** An error as it is stored for a repeat: the fields of its body. */
export type StoredError = {
  error?: unknown
  code?: unknown
  reason?: unknown
  retryable?: unknown
  retryAfter?: unknown
  [field: string]: unknown
}

/** A stored error as it was thrown, without its charge. */
export function asAppError({
  error,
  code,
  reason,
  retryable: _,
  retryAfter: seconds,
  ...detail
}: StoredError): AppError {
  return new AppError(isKeyOf(ERROR_CODES, code) ? code : 'upstream_error', String(error), {
    reason: isKeyOf(REASONS, reason) ? reason : undefined,
    detail,
    retryAfter: typeof seconds === 'number' ? seconds : undefined,
  })
}

const isKeyOf = <T extends object>(table: T, value: unknown): value is keyof T & string =>
  typeof value === 'string' && Object.hasOwn(table, value)

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

/** `invalid_request` with what is wrong with one parameter. */
export const invalidParameter = (parameter: string, message: string): AppError =>
  invalidRequest([{ path: [parameter], message }])

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
