import type { AppError } from '../errors'
import type { Caller, KnownKey, RateLimitState } from '../keys/authenticate'
import { uuidv7 } from '../kit/id'
import type { Deprecated } from './operation-meta'

/** What procedures report about the response besides its body. */
export type ResponseMeta = {
  rate?: RateLimitState
  replayed?: boolean
  /** The answer is not stored although an Idempotency-Key was sent. */
  unstored?: boolean
  /** What was changed of the request for a model to take it. */
  adjusted?: string
  caller?: Caller
  /** The request's only authentication. */
  entered?: Promise<Caller>
  /** The key that was sent, where it exists: also of a request that was refused for it. */
  key?: Pick<KnownKey, 'keyId' | 'ownerId'>
  /** The status of a failure that the response's own does not say. */
  failure?: number
  /** What a procedure threw last, and of which operation. */
  refused?: { error: AppError; operation: string }
  /** The tool or model that the request names. */
  called?: string
  /** Who is signed in, at the dashboard. */
  ownerId?: number
  /** The version of what is answered, for If-Match. */
  etag?: string
  /** The path of the task that answers later, where the caller does not wait. */
  task?: string
  /** That the operation will go, and what to use instead. */
  deprecated?: Deprecated
  /** A success status other than the operation's usual one. */
  status?: number
}

/** One request as every procedure sees it. `via` decides which credentials count. */
export type Context = {
  requestId: string
  headers: Headers
  /**
   * `key`: the public API, which never accepts a session. `session`: the dashboard, which never
   * accepts a key.
   */
  via: 'key' | 'session'
  /** Whether the whole body is here and small, so that reading it first costs nobody anything. */
  isBodyHere: () => boolean
  /** SHA-256 of the body's bytes, once it was read. */
  bodyHash: () => Buffer | null
  /** Aborts when the client disconnects. */
  signal: AbortSignal
  reply: ResponseMeta
}

/** A fresh context for one request. */
export const makeContext = (given: Pick<Context, 'headers' | 'via'> & Partial<Context>): Context => ({
  headers: given.headers,
  via: given.via,
  requestId: given.requestId ?? uuidv7(),
  isBodyHere: given.isBodyHere ?? (() => false),
  bodyHash: given.bodyHash ?? (() => null),
  signal: given.signal ?? new AbortController().signal,
  reply: given.reply ?? {},
})
