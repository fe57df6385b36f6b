import { AppError, invalidRequest } from '../errors'
import { lazy } from '../kit/lazy'
import { isRecord } from '../kit/record'
import { DEFAULT_MAX_BODY, readJson, readOptionalJson } from './body'
import { type Exchange, makeHandler, methodNotAllowed, pathOf } from './handler'
import { modelErrors, sendMissing } from './missing'
import { callProcedure } from './procedure'
import { setRequestRoute } from './request-metrics'
import { sendValue } from './response'
import { allRoutes, matchPath, parseParam, pathParams, type Route } from './routes'

const BASE = '/api/v1'

const routes = lazy(allRoutes)

/** The operation that a request names, or the response of a wrong path or method. */
function findRoute(exchange: Exchange): { route: Route; parts: string[] } | Response {
  const { req, headers } = exchange
  const parts = pathOf(req.url).slice(BASE.length).split('/').filter(Boolean)
  const found = matchPath(routes(), parts)
  if (found.length === 0) return sendMissing(exchange)
  const method = req.method === 'HEAD' ? 'GET' : req.method
  const route = found.find((r) => r.method === method)
  if (route) return { route, parts }
  const allowed = [...new Set(found.map((r) => r.method))]
  const isOfModels = found.every((r) => r.chatErrors)
  return methodNotAllowed(allowed, headers(), isOfModels ? modelErrors(exchange) : undefined)
}

function queryInput(route: Route, url: string): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const [name, value] of new URL(url).searchParams) {
    const kind = route.fields.get(name)
    if (!kind && route.ignoresUnknown) continue
    if (!kind) throw invalidRequest([{ path: [name], message: 'is not a parameter of this operation' }])
    if (name in input && kind !== 'array') throw invalidRequest([{ path: [name], message: 'must be given once' }])
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
const takesNoBody = (route: Route) => route.fields.size === route.parts.filter((part) => part.startsWith('{')).length

/** A route's input: its path and, by method, its query string or its body. */
async function readInput(exchange: Exchange, route: Route, parts: readonly string[]) {
  if (route.method === 'GET' || route.method === 'DELETE')
    return { value: { ...queryInput(route, exchange.req.url), ...pathInput(route, parts) } }
  const read = takesNoBody(route) ? readOptionalJson : readJson
  const { value, ...body } = await read(exchange, route.maxBody ?? DEFAULT_MAX_BODY, route.maxItems)
  if (!isRecord(value)) throw new AppError('invalid_request', 'The body must be a JSON object.')
  return { value: { ...value, ...pathInput(route, parts) }, ...body }
}

/**
 * `/api/v1`: every operation in plain JSON over HTTP, dispatched by the procedures' openapi meta.
 */
export const restHandler = makeHandler('rest', async (exchange) => {
  const found = findRoute(exchange)
  if (found instanceof Response) return found
  const { route, parts } = found
  setRequestRoute(exchange.req, BASE + route.path)
  exchange.reply.deprecated = route.deprecated
  try {
    const value = await callProcedure(exchange, route.procedure, {
      type: route.type,
      via: 'key',
      readInput: () => readInput(exchange, route, parts),
    })
    return sendValue(exchange.reply.status ?? route.success, value, exchange.headers())
  } catch (error) {
    if (!route.chatErrors) throw error
    return modelErrors(exchange)(error, exchange.headers())
  }
})
