import { callTRPCProcedure } from '@trpc/server'
import { z } from 'zod'
import { makeContext } from '../api/context'
import { inputSchemaAt } from '../api/operations'
import { appRouter } from '../api/router'
import { createCallerFactory } from '../api/trpc'
import { invalidRequest } from '../errors'
import { hasArrived } from './arrived-body'
import type { Exchange } from './handler'
import type { RequestJson } from './parse-body'

/** Values of a body from which its validation ends with the first that is wrong. */
const MANY_VALUES = 500

/** zod takes this where it only says whether a value is valid; its type keeps it inside. */
const UP_TO_FIRST = { abortEarly: true } as z.core.ParseContext<z.core.$ZodIssue>

/**
 * Validates the input of a procedure up to what is wrong first, where a list of every wrong value
 * could be long: making that list costs far more than reading the body. Throws `invalid_request`.
 */
function checkLargeInput(path: string, value: unknown, values: number): void {
  if (values < MANY_VALUES) return
  const schema = inputSchemaAt(path)
  const checked = schema && z.safeParse(schema, value, UP_TO_FIRST)
  if (checked?.error) throw invalidRequest(checked.error.issues)
}

const createCaller = createCallerFactory(appRouter)

export type ProcedureCaller = ReturnType<typeof createCaller>

type CallerRequest = Partial<Exchange> & { req: Request; signal?: AbortSignal; isBodyHere?: () => boolean }

/** The router's procedures for one request. `signal`: instead of the request's own. */
export const callerFor = (
  { req, requestId, reply, signal = req.signal, isBodyHere }: CallerRequest,
  via: 'key' | 'session',
) => createCaller(makeContext({ requestId, headers: req.headers, via, isBodyHere, signal, reply }))

/** The procedures that anyone may call, for a request that needs no credentials. */
export const visitorCaller = (req: Request): ProcedureCaller['visitor'] => callerFor({ req }, 'key').visitor

export type ProcedureCall = {
  type: 'query' | 'mutation'
  via: 'key' | 'session'
  /**
   * Reads the input. Called once, after the caller is authenticated, so 401 and 429 come first, or
   * while a body that is here already waits for that.
   */
  readInput: () => Promise<{ value: unknown } & Partial<RequestJson>>
  signal?: AbortSignal
}

/**
 * Calls the procedure at a path of the router. Its input is read late, hence its result has no
 * type.
 */
export function callProcedure(
  { req, requestId, reply }: Exchange,
  path: string,
  call: ProcedureCall,
): Promise<unknown> {
  const { type, via, readInput, signal = req.signal } = call
  let hash: (() => Buffer) | undefined
  let input: Promise<unknown> | undefined
  const getRawInput = () => {
    input ??= readInput().then((read) => {
      hash = read.hash
      if (read.values !== undefined) checkLargeInput(path, read.value, read.values)
      return read.value
    })
    return input
  }
  const bodyHash = () => hash?.() ?? null
  const isBodyHere = () => hasArrived(req)
  const ctx = makeContext({ requestId, headers: req.headers, via, isBodyHere, bodyHash, signal, reply })
  return callTRPCProcedure({ router: appRouter, path, type, ctx, getRawInput, signal, batchIndex: 0 })
}
