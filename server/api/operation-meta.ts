import type { z } from 'zod'

/** What can be wrong with a call of an operation, beyond what every operation has. */
export type Trait = 'granted' | 'paid' | 'billed' | 'named' | 'conflicts' | 'replays' | 'idempotent'

type MediaType =
  | 'application/json'
  | 'text/event-stream'
  | 'text/markdown'
  | 'text/csv'
  | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

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

export type ProcedureMeta = {
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
    /** A header it reads, other than the key and Idempotency-Key. */
    headers?: readonly 'last-event-id'[]
    /** Largest body in bytes. */
    maxBody?: number
    /** The last path parameter takes the rest of the path with its slashes. */
    tail?: boolean
    /** Parameters of the query string that are not known are not refused. */
    ignoresUnknown?: boolean
    /** The envelope of its errors, where it is not the usual one. */
    errors?: 'chat' | 'messages'
    /** Another handler serves it, and it is only listed in the document. */
    ownHandler?: boolean
  }
}
