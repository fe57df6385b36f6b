import type * as api from './api.js'

/** Why a call was refused or failed, for programs. */
export type Reason = api.Error['reason']

/** A call that was refused or failed. `reason` says why; `retryable`, whether it may succeed later. */
export class TollgateError extends Error {
  override name = 'TollgateError'
  readonly code: string
  readonly reason: Reason | 'connection'
  readonly retryable: boolean
  /** Credits that were charged although it failed; undefined: nothing ran. */
  readonly charged: number | undefined
  /** Each wrong field, with `invalid_input`. */
  readonly issues: api.Issue[]

  constructor(
    /** HTTP status; 0: the connection broke. */
    readonly status: number,
    readonly body: Record<string, unknown>,
    /** The id of the request, of its receipt and of its log line. */
    readonly requestId: string | null,
    /** Seconds after which to try again, where the service says so. */
    readonly retryAfter: number | undefined,
  ) {
    const { message, ...said } = saidIn(body)
    super(message ?? `The request failed with ${status}.`)
    this.code = said.code ?? 'internal_error'
    this.reason = status === 0 ? 'connection' : (said.reason ?? 'internal_error')
    this.retryable = status === 0 || said.retryable === true
    this.charged = said.service?.credits_charged
    this.issues = said.issues ?? []
  }
}

type Said = Partial<Omit<api.Error, 'error'>> & { message?: string }

/** What a body says: that of a model's error has it inside `error`, with a message. */
function saidIn(body: Record<string, unknown>): Said {
  const { error, ...rest } = body
  if (typeof error === 'object' && error !== null) return { ...rest, ...error }
  return { ...rest, ...(typeof error === 'string' && { message: error }) }
}

/** What an operation of `api` returned. Throws TollgateError where it was refused or failed. */
export function dataOf<A extends { status: number; data: unknown; headers: Headers }>(
  answer: A,
): Extract<A, { status: 200 | 201 | 202 }>['data'] {
  const { status, data, headers } = answer
  if (status < 400) return data as Extract<A, { status: 200 | 201 | 202 }>['data']
  const after = headers.get('retry-after')
  const body = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
  throw new TollgateError(status, body, headers.get('x-request-id'), after === null ? undefined : Number(after))
}
