import type { z } from 'zod'
import type { AuditAction, LeastRole, Session } from '../accounts/shape'

/** What can be wrong with a call of an operation, beyond what every operation has. */
export type Trait =
  | 'granted'
  | 'paid'
  | 'billed'
  | 'named'
  | 'conflicts'
  | 'replays'
  | 'idempotent'
  | 'repeatable'
  | 'background'
  | 'each'
  | 'versioned'
  | 'matched'

type MediaType =
  | 'application/json'
  | 'text/event-stream'
  | 'text/markdown'
  | 'text/csv'
  | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Since which day an operation is deprecated, when it ends, and where it says what to use. */
export type Deprecated = { since: string; sunset: string; instead: string }

/** How an operation is listed in the OpenAPI document. */
export type OperationEntry = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Below /api/v1, parameters in braces. */
  path: `/${string}`
  operationId: string
  summary: string
  /** Further sentences; what a call costs is added. */
  description?: string
  tags: string[]
  /** False: no key is needed; one that is sent must be valid. */
  protect: boolean
}

/**
 * What a signed-in owner's act writes into the audit log. `subject` and `detail` are made from its
 * input and what its transaction returns, and hold no secret.
 */
export type AuditMeta = {
  action: AuditAction
  subject?: (input: unknown, output: unknown) => string | undefined
  detail?: (input: unknown) => Record<string, unknown>
}

/** What a mutation of the dashboard writes into the audit log. */
export const audited = <I, O>(
  action: AuditAction,
  of: { subject?: (input: I, output: O) => string | undefined; detail?: (input: I) => object } = {},
): { audit: AuditMeta } => ({ audit: { action, ...(of as Pick<AuditMeta, 'subject' | 'detail'>) } })

/** For mutations that leave another trace, such as a receipt or a step. */
export const NOT_AUDITED = { audit: false } as const

/** For acts whose module writes their line: operators', of the owner that they concern. */
export const AUDITED_BY_MODULE = { audit: 'by module' } as const

/**
 * Whether a call needs a proof, not older than ten minutes, of who is signed in: by what it is
 * asked, before that is validated. `ownerId`: the account that it concerns.
 */
export type StepUpRule = (
  input: unknown,
  by: { ownerId: number; session: Pick<Session, 'personId'> },
) => boolean | Promise<boolean>

/** For acts that need that proof whatever they are asked. */
export const STEP_UP = { stepUp: true } as const

/** For acts that need that proof by a rule. */
export const stepUpWhen = (stepUp: StepUpRule): { stepUp: StepUpRule } => ({ stepUp })

/** For what somebody calls who has to add a second factor first. */
export const REACHED_WITHOUT_FACTOR = { reachedWithoutFactor: true } as const

export type ProcedureMeta = {
  /** The least role that a procedure of an account asks for: `memberProcedure` sets it. */
  least?: LeastRole
  /** An owner's act that needs a fresh proof of who is signed in; every operator's does. */
  stepUp?: true | StepUpRule
  reachedWithoutFactor?: true
  /** Every mutation of the dashboard says what it writes into the audit log; false: nothing. */
  audit?: AuditMeta | 'by module' | false
  /** Makes a procedure a public operation. */
  openapi?: OperationEntry
  /** How REST serves it, and what it can answer. */
  rest?: {
    /** Success status; 200 by default. */
    success?: number
    /** Bodies of success statuses that differ from the output; null: no body. */
    bodies?: Record<number, z.ZodType | null>
    /** Content types of a success, each with what it has; by default JSON of the output. */
    content?: Partial<Record<MediaType, string>>
    /** The name of its result among the document's schemas. */
    schema?: string
    /** What it can answer beside a success, see `STATUSES_OF`. */
    traits?: readonly Trait[]
    /** Headers it reads besides the key, and Idempotency-Key where a trait has that. */
    headers?: readonly ('x-tollgate-customer' | 'last-event-id' | 'prefer' | 'idempotency-key')[]
    /** Largest body in bytes. */
    maxBody?: number
    /** The last path parameter takes the rest of the path with its slashes. */
    tail?: boolean
    /** Parameters of the query string that are not known are not refused. */
    ignoresUnknown?: boolean
    /** The envelope of its errors, where it is not the usual one. */
    errors?: 'chat' | 'messages'
    deprecated?: Deprecated
    /** Another handler serves it, and it is only listed in the document. */
    ownHandler?: boolean
  }
}
