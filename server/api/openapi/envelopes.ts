import { z } from 'zod'
import type { oas31 } from 'zod-openapi'
import { LimitState } from '../../credits/limit-state'
import { LimitSource } from '../../credits/shape'
import { ERROR_CODES, REASONS } from '../../errors'
import type { ProcedureMeta } from '../operation-meta'

type Schema = oas31.SchemaObject

/** The envelope of an operation's errors; undefined: the usual one. */
type Envelope = NonNullable<ProcedureMeta['rest']>['errors']

const code = { type: 'string', enum: Object.keys(ERROR_CODES), description: 'What went wrong, for programs' } as const
const reason = { type: 'string', enum: Object.keys(REASONS), description: 'Why, finer than the code' } as const
const retryable = { type: 'boolean', description: 'Whether the same request may succeed later' } as const
const message = { type: 'string', description: 'What went wrong, for people' } as const
const service = {
  $ref: '#/components/schemas/Service',
  description: 'Only where a call ran and then failed: what it cost',
} as const

const Issue: Schema = {
  type: 'object',
  required: ['path', 'message'],
  properties: { path: { type: 'string' }, message: { type: 'string' } },
}

const issues: Schema = {
  type: 'array',
  description: 'With invalid_request: each wrong field',
  items: { $ref: '#/components/schemas/Issue' },
}

const limitSource: Schema = {
  type: 'string',
  enum: LimitSource.options,
  description: 'With insufficient_credits: which limit refused',
}

const { $schema: _, ...limit } = z.toJSONSchema(LimitState) as Schema & { $schema?: string }

const reserved: Schema = {
  type: 'integer',
  description:
    'With insufficient_credits: credits that calls in progress have reserved. Without those the call would fit, so it may be sent again after `Retry-After`',
}

const ErrorSchema: Schema = {
  type: 'object',
  description: 'An error.',
  required: ['error', 'code', 'reason', 'retryable'],
  properties: { error: message, code, reason, retryable, issues, limitSource, limit, reserved, service },
}

const ChatErrorSchema: Schema = {
  type: 'object',
  description: 'An error, as chat SDKs read it.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'code', 'reason', 'retryable', 'param'],
      properties: {
        message,
        type: { type: 'string', enum: [...new Set(Object.values(ERROR_CODES).map(({ chat }) => chat))] },
        code,
        reason,
        retryable,
        param: { type: ['string', 'null'], description: 'The field it is about' },
        limitSource,
        limit,
        reserved,
      },
    },
    service,
  },
}

const MessagesErrorSchema: Schema = {
  type: 'object',
  description: 'An error, as SDKs of the messages API read it.',
  required: ['type', 'error', 'request_id'],
  properties: {
    type: { type: 'string', const: 'error' },
    error: {
      type: 'object',
      required: ['type', 'message', 'code', 'reason', 'retryable'],
      properties: {
        type: { type: 'string', description: 'What kind of error it is' },
        message,
        code,
        reason,
        retryable,
        limitSource,
        limit,
        reserved,
      },
    },
    request_id: { type: 'string', description: 'The same as the header x-request-id' },
    service,
  },
}

/** The billing block of every response whose call ran. */
export const ServiceSchema: Schema = {
  type: 'object',
  description: 'What a call cost.',
  required: ['credits_charged'],
  properties: { credits_charged: { type: 'integer', description: 'Credits billed for this call' } },
  additionalProperties: false,
}

/** The schemas of errors, by their names in the document. */
export const ERROR_SCHEMAS = {
  Issue,
  Error: ErrorSchema,
  ChatError: ChatErrorSchema,
  MessagesError: MessagesErrorSchema,
}

const NAMES = { chat: 'ChatError', messages: 'MessagesError' } as const

/** The name of the schema of an operation's errors. */
export const envelopeName = (envelope: Envelope): 'Error' | 'ChatError' | 'MessagesError' =>
  envelope ? NAMES[envelope] : 'Error'
