import type { OpenApiMeta } from 'trpc-to-openapi'
import { appRouter } from './router'
import type { ProcedureMeta } from './trpc'

/** One public operation: its procedure, and how HTTP serves it. */
export type RestOperation = {
  /** The procedure's path in the router. */
  procedure: string
  type: 'query' | 'mutation'
  openapi: NonNullable<OpenApiMeta['openapi']>
  /** Success status. */
  success: number
  /** Another success status it may have. */
  alsoSuccess: number | undefined
  /** Largest body in bytes; undefined: the handler's default. */
  maxBody: number | undefined
  /** The last path parameter takes the rest of the path. */
  tail: boolean
  /** Errors come in the envelope of chat SDKs. */
  chatErrors: boolean
  /** The envelope of its errors, where it is not the usual one. */
  errors: 'chat' | 'messages' | undefined
  /** Another handler serves it, so REST does not know its path. */
  ownHandler: boolean
  input: unknown
}

type Procedure = { _def: { type: 'query' | 'mutation'; meta?: ProcedureMeta; inputs: unknown[] } }

/**
 * Every procedure with openapi meta. tRPC's types hide the definition of a procedure, hence the
 * cast.
 */
export function restOperations(): RestOperation[] {
  const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>)
  return procedures.flatMap(
    ([
      procedure,
      {
        _def: { type, meta, inputs },
      },
    ]) =>
      meta?.openapi
        ? [
            {
              procedure,
              type,
              openapi: meta.openapi,
              success: meta.rest?.success ?? 200,
              alsoSuccess: meta.rest?.alsoSuccess,
              maxBody: meta.rest?.maxBody,
              tail: meta.rest?.tail === true,
              chatErrors: meta.rest?.errors === 'chat',
              errors: meta.rest?.errors,
              ownHandler: meta.rest?.ownHandler === true,
              input: inputs[0],
            },
          ]
        : [],
  )
}
