import { ERROR_CODES } from '../../errors'
import type { Trait } from '../operation-meta'
import type { RestOperation } from '../operations'

/**
 * What an operation can answer beside a success: always, by how it is called, and by what it does.
 * The one table of it.
 */
const STATUSES_OF = {
  always: [400, 500, 503],
  /** Also where none is needed: a key that is sent must be valid. */
  key: [401, 429],
  /** A key of the wrong kind, or of a suspended account. */
  protected: [403],
  body: [408, 413, 415],
  granted: [403],
  /** Takes credits later, but needs some now. */
  paid: [402],
  /** Takes credits for what it calls. */
  billed: [402, 502],
  named: [404],
  conflicts: [409],
  /** A repeat is answered again without an Idempotency-Key. */
  replays: [],
  idempotent: [409, 422],
  /** May answer with a task, whose path is in a header. */
  background: [],
  /** Answers for many calls, each with its own status. */
  each: [],
  /** The same of what costs nothing, by management keys. */
  repeatable: [409, 422],
  /** Answers with an ETag. */
  versioned: [],
  /** The same, and takes If-Match. */
  matched: [412],
} satisfies Record<Trait | 'always' | 'key' | 'protected' | 'body', number[]>

/** What each status means. */
const MEANING: Record<number, string> = {
  400: 'The request is not valid.',
  401: 'There is no key, or it is not valid.',
  402: 'There are not enough credits; `limitSource` says which limit refused. `service` is there where they ran out during the call.',
  403: 'The key may not do this.',
  404: 'It does not exist, or belongs to somebody else.',
  408: 'The request did not arrive in time.',
  409: 'Something in progress is in the way; or, with `requestId`, the answer of this Idempotency-Key was not stored.',
  412: 'It is not the version that `If-Match` names.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'This Idempotency-Key was used with another body.',
  429: 'The key has made its requests of this minute.',
  500: 'Something went wrong on our side. Nothing is charged.',
  502: 'What was called failed, or could not be reached. `service` has the charge.',
  503: 'The service cannot answer now. Nothing is charged.',
}

/** Statuses that may say after how many seconds to try again. */
export const RETRIED: ReadonlySet<number> = new Set([402, 429, 502, 503])

/** Every status besides its successes that an operation can answer, in order. */
export function errorStatusesOf({ openapi, rest }: Pick<RestOperation, 'openapi' | 'rest'>): number[] {
  const hasBody = openapi.method !== 'GET' && openapi.method !== 'DELETE'
  const kinds = [
    'always',
    'key',
    ...(openapi.protect ? ['protected'] : []),
    ...(hasBody ? ['body'] : []),
    ...(rest.traits ?? []),
  ]
  const statuses = kinds.flatMap((kind) => STATUSES_OF[kind as keyof typeof STATUSES_OF])
  return [...new Set(statuses)].sort((a, b) => a - b)
}

/** The text of an error status: what it means, and its codes. */
export function describeStatus(status: number): string {
  const codes = Object.entries(ERROR_CODES).flatMap(([code, row]) => (row.status === status ? [`\`${code}\``] : []))
  return [MEANING[status] ?? '', codes.length > 0 ? `Code: ${codes.join(', ')}.` : ''].filter(Boolean).join(' ')
}
