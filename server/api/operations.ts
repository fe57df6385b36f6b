import type { z } from 'zod'
import { type LeastRole, mayAs, type Role } from '../accounts/shape'
import type { OperationEntry, ProcedureMeta } from './operation-meta'
import { appRouter } from './router'

type Rest = NonNullable<ProcedureMeta['rest']>

/** One public operation: its procedure, and how HTTP serves it. */
export type RestOperation = {
  /** The procedure's path in the router. */
  procedure: string
  type: 'query' | 'mutation'
  openapi: OperationEntry
  /** Success status. */
  success: number
  /** Largest body in bytes; undefined: the handler's default. */
  maxBody: number | undefined
  /** The last path parameter takes the rest of the path. */
  tail: boolean
  /** Unknown parameters of the query string are not refused. */
  ignoresUnknown: boolean
  /** Errors come in the envelope of chat SDKs. */
  chatErrors: boolean
  /** The envelope of its errors, where it is not the usual one. */
  errors: 'chat' | 'messages' | undefined
  /** Another handler serves it, so REST does not know its path. */
  ownHandler: boolean
  rest: Rest
  input: z.ZodType | undefined
  output: z.ZodType | undefined
}

type Procedure = {
  _def: { type: 'query' | 'mutation'; meta?: ProcedureMeta; inputs: z.ZodType[]; output?: z.ZodType }
}

/** Every procedure by its path. tRPC's types hide the definition of a procedure, hence the cast. */
const allProcedures = () => appRouter._def.procedures as unknown as Record<string, Procedure>

/** What the procedure at a path takes; undefined where it takes nothing. */
export const inputSchemaAt = (path: string): z.ZodType | undefined => allProcedures()[path]?._def.inputs[0]

/** The procedures of an account by their path, with the least role that each asks for. */
export const procedureRoles = (): { path: string; least: LeastRole }[] =>
  Object.entries(allProcedures()).flatMap(([path, { _def }]) =>
    _def.meta?.least ? [{ path, least: _def.meta.least }] : [],
  )

/** What a role may not do in its account: the procedures, with the role that each asks for. */
export const refusedActs = (role: Role): Record<string, LeastRole> =>
  Object.fromEntries(
    procedureRoles()
      .filter(({ path, least }) => !mayAs(role, least) && allProcedures()[path]?._def.type === 'mutation')
      .map(({ path, least }) => [path, least]),
  )

/** The paths of procedures that change something. */
export const mutationPaths = (): string[] =>
  Object.entries(allProcedures()).flatMap(([path, { _def }]) => (_def.type === 'mutation' ? [path] : []))

/** Every procedure with openapi meta. */
export function restOperations(): RestOperation[] {
  return Object.entries(allProcedures()).flatMap(([procedure, { _def }]): RestOperation[] => {
    const { type, meta, inputs, output } = _def
    if (!meta?.openapi) return []
    const { openapi, rest = {} } = meta
    return [
      {
        procedure,
        type,
        openapi,
        success: rest.success ?? 200,
        maxBody: rest.maxBody,
        tail: rest.tail === true,
        ignoresUnknown: rest.ignoresUnknown === true,
        chatErrors: rest.errors === 'chat',
        errors: rest.errors,
        ownHandler: rest.ownHandler === true,
        rest,
        input: inputs[0],
        output,
      },
    ]
  })
}
