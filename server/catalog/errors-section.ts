import { LimitSource } from '../credits/shape'
import { ERROR_CODES, REASONS } from '../errors'
import { tableBlock, typeBlock } from './markdown-blocks'

const WHEN: Record<string, string> = {
  400: 'Malformed body, unknown tool or model, a parameter that does not fit. Nothing is billed.',
  401: 'No key, or one that is not valid. Nothing is billed.',
  402: 'Not enough credits. `limitSource` names the limit. Refused before the tool ran: nothing is billed, no `service`. Ran out during the call: `service` has the charge. A conversation at its spend limit adds `creditsSpent` and `ceilingCredits`.',
  403: 'The key may not call this tool or use this model, or lacks the scope. Nothing is billed.',
  404: 'Nothing at this path, or no resource of yours with this id.',
  405: 'Wrong method; `Allow` names the right ones.',
  409: 'An earlier request with this Idempotency-Key is still in progress, or, with `requestId`, had an answer that was not stored; a job is not waiting for this answer or has finished; a run of the conversation is live.',
  412: 'It has been changed since the version that `If-Match` names. Nothing was changed.',
  413: 'The body is too large.',
  415: 'The body is not sent as JSON.',
  422: 'This Idempotency-Key came with another body before.',
  429: "The key's minute is used up; `Retry-After` says how many seconds to wait. Nothing is billed.",
  500: 'An internal error. Report it with the `x-request-id`.',
  502: 'The tool ran and failed: `service` has the real charge. Or every provider of a model failed: nothing is billed.',
  503: 'The service cannot reach its database; `Retry-After` says when to try again. Nothing is billed.',
}

function errorTable(): string {
  const byStatus = Map.groupBy(Object.entries(ERROR_CODES), ([, { status }]) => String(status))
  return tableBlock(
    ['Status', 'Codes', 'When'],
    [...byStatus]
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([status, codes]) => [status, codes.map(([code]) => `\`${code}\``).join(', '), WHEN[status] ?? '']),
  )
}

const ERROR_TYPE = `type ApiError = {
  error: string // What is wrong, and what to do
  code: string // One of the codes below
  reason: string // Finer: ${Object.keys(REASONS).join(', ')}
  retryable: boolean // Whether the same request may succeed later
  issues?: { path: string; message: string }[] // invalid_request: each field that does not fit
  limitSource?: ${LimitSource.options.map((source) => JSON.stringify(source)).join(' | ')} // insufficient_credits: which limit
  limit?: { id: string; name: string; window: string; cap: number; spent: number; held: number; resetsAt: string | null } // That limit
  reserved?: number // insufficient_credits: only what calls in progress have reserved is missing; send it again after Retry-After
  service?: Service // Where the call ran: it was charged
}`

/** The body of an error, and what each status means. */
export const errorsSection = (): string => ['## Errors', typeBlock(ERROR_TYPE), errorTable()].join('\n\n')
