import type { oas31 } from 'zod-openapi'
import { CUSTOMER_HEADER } from '../customer'

type Header = oas31.HeaderObject
type HeaderRef = { $ref: string }

const count = { type: 'integer', minimum: 0 } as const

/** Every header that a response may have besides those of its content. */
export const HEADERS = {
  'x-request-id': {
    description: 'The id of this call, also of its receipt',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'x-ratelimit-limit-requests': { description: 'Requests a minute that the key may make', schema: count },
  'x-ratelimit-remaining-requests': { description: 'Requests left in this minute', schema: count },
  'x-ratelimit-reset-requests': { description: 'Seconds until the minute is over', schema: count },
  'Retry-After': { description: 'Seconds after which to try again', schema: count },
  'Idempotency-Stored': {
    description:
      'The answer is not stored for its Idempotency-Key: a repeat is 409 with this call’s id, and is not charged',
    schema: { type: 'string', enum: ['false'] },
  },
  Location: { description: 'With 202: the path of the task', schema: { type: 'string' } },
  'Preference-Applied': {
    description: 'With 202: the call runs in the background',
    schema: { type: 'string', enum: ['respond-async'] },
  },
  ETag: { description: 'The version of what is answered', schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: 'This is the answer of an earlier call with this key; nothing was charged again',
    schema: { type: 'string', enum: ['true'] },
  },
} satisfies Record<string, Header>

type HeaderName = keyof typeof HEADERS

/** References to headers, as a response lists them. */
export const headersNamed = (names: readonly HeaderName[]): Record<string, HeaderRef> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Those of every response; the window only where a valid key was sent. */
export const COMMON_HEADERS = [
  'x-request-id',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
] as const satisfies HeaderName[]

/** Parameters that are headers of the request, by their names in the document. */
export const HEADER_PARAMETERS = {
  'idempotency-key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a repeat safe: the same body with the same value gets the stored answer for 24 hours, a stream as a stream, and is charged once. What failed without a charge is not stored',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
  prefer: {
    name: 'Prefer',
    in: 'header',
    description: '`respond-async`: do not wait, answer with a task',
    schema: { type: 'string' },
  },
  'if-match': {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag of the version that is to be changed: another one is 412',
    schema: { type: 'string' },
  },
  'x-tollgate-customer': {
    name: CUSTOMER_HEADER,
    in: 'header',
    description:
      'The customer of yours that the call is made for, where its key lets calls name one; else it is ignored. Of a key that is bound to another customer: 403',
    schema: { type: 'string', minLength: 1, maxLength: 128 },
  },
  'last-event-id': {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'The id of the last event that was received: the stream goes on after it',
    schema: { type: 'string' },
  },
} satisfies Record<string, oas31.ParameterObject>
