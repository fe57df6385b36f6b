import { callTRPCProcedure } from '@trpc/server'
import { type Context, makeContext } from '../api/context'
import { appRouter } from '../api/router'
import { AppError, invalidRequest } from '../errors'
import { lazy } from '../kit/lazy'
import { DEFAULT_MAX_BODY, readJson, readOptionalJson } from './body'
import { sendChatError } from './chat-error'
import { type Exchange, makeHandler, methodNotAllowed, pathOf } from './handler'
import { sendValue } from './response'
import { allRoutes, matchPath, parseParam, pathParams, type Route } from './routes'

const BASE = '/api/v1'

const routes = lazy(allRoutes)

/** The operation a request names. Throws `not_found`; a wrong method answers 405 with what is allowed. */
function findRoute({ req, headers }: Exchange): { route: Route; parts: string[] } | Response {
  const parts = pathOf(req.url).slice(BASE.length).split('/').filter(Boolean)
  const found = matchPath(routes(), parts)
  if (found.length === 0) {
    const error = new AppError('not_found', 'There is nothing at this path. See GET /api/v1/catalog?format=md.')
    if (parts[0] !== 'chat') throw error
    return sendChatError(error, headers())
  }
  const method = req.method === 'HEAD' ? 'GET' : req.method
  const route = found.find((r) => r.method === method)
  if (route) return { route, parts }
  const allowed = [...new Set(found.map((r) => r.method))]
  return methodNotAllowed(allowed, headers(), found.every((r) => r.chatErrors) ? sendChatError : undefined)
}

function queryInput(route: Route, url: string): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const [name, value] of new URL(url).searchParams) {
    const kind = route.fields.get(name)
    if (!kind) throw invalidRequest([{ path: [name], message: 'There is no such parameter' }])
    if (name in input && kind !== 'array') throw invalidRequest([{ path: [name], message: 'Send this once' }])
    input[name] = kind === 'array' ? [...((input[name] as unknown[]) ?? []), value] : parseParam(value, kind)
  }
  return input
}

function pathInput(route: Route, parts: readonly string[]): Record<string, unknown> {
  try {
    const given = pathParams(route, parts)
    return Object.fromEntries(
      given.map(([name, text]) => [name, parseParam(decodeURIComponent(text), route.fields.get(name) ?? 'text')]),
    )
  } catch {
    throw new AppError('invalid_request', 'The path is not valid.')
  }
}

/** True for an operation that takes nothing but its path: it may be called without a body. */
const isWhollyInPath = (route: Route) => route.fields.size === route.parts.filter((part) => part.startsWith('{')).length

/** Calls a route's procedure. It asks for its input only after it has let the caller in, so 401 and 429 come first. */
async function callRoute(
  { req, requestId, reply }: Exchange,
  route: Route,
  parts: readonly string[],
): Promise<unknown> {
  let bodyHash: () => Buffer | null = () => null
  const ctx: Context = makeContext({
    requestId,
    headers: req.headers,
    via: 'key',
    bodyHash: () => bodyHash(),
    gone: req.signal,
    reply,
  })
  const readInput = async () => {
    if (route.method === 'GET' || route.method === 'DELETE')
      return { ...queryInput(route, req.url), ...pathInput(route, parts) }
    const maxBody = route.maxBody ?? DEFAULT_MAX_BODY
    const { value, hash } = await (isWhollyInPath(route) ? readOptionalJson : readJson)(req, maxBody)
    bodyHash = hash
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new AppError('invalid_request', 'The body must be a JSON object.')
    }
    return { ...value, ...pathInput(route, parts) }
  }
  let input: Promise<unknown> | undefined
  const getRawInput = () => {
    input ??= readInput()
    return input
  }
  const { procedure: path, type } = route
  return callTRPCProcedure({ router: appRouter, path, type, ctx, getRawInput, signal: req.signal, batchIndex: 0 })
}

/** `/api/v1`: every operation that speaks plain JSON over HTTP, dispatched from the procedures' own openapi meta. */
export const restHandler = makeHandler('rest', async (exchange) => {
  const found = findRoute(exchange)
  if (found instanceof Response) return found
  const { route, parts } = found
  try {
    const value = await callRoute(exchange, route, parts)
    return sendValue(exchange.reply.status ?? route.success, value, exchange.headers())
  } catch (error) {
    if (!route.chatErrors) throw error
    return sendChatError(error, exchange.headers())
  }
})
