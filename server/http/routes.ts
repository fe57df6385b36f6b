import { z } from 'zod'
import type { Deprecated } from '../api/operation-meta'
import { restOperations } from '../api/operations'

type Kind = 'number' | 'boolean' | 'array' | 'text'

/** One REST operation, read from a procedure's openapi meta. */
export type Route = {
  method: string
  /** Its path as the OpenAPI document has it. */
  path: string
  parts: string[]
  /** The procedure's path in the router. */
  procedure: string
  type: 'query' | 'mutation'
  /** The type of each field, into which text of the path or the query string is parsed. */
  fields: ReadonlyMap<string, Kind>
  success: number
  maxBody: number | undefined
  /** Items of the longest list that is read at all; undefined: as many as anywhere. */
  maxItems: number | undefined
  /** The last parameter takes the rest of the path. */
  tail: boolean
  /** Unknown parameters of the query string are not refused. */
  ignoresUnknown: boolean
  chatErrors: boolean
  deprecated: Deprecated | undefined
}

function kindOf(schema: z.core.$ZodType): Kind {
  const { def } = schema._zod as z.core.$ZodTypes['_zod']
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return kindOf(def.innerType)
    case 'number':
    case 'boolean':
    case 'array':
      return def.type
    default:
      return 'text'
  }
}

/** A list of up to this many items is refused by its schema, which names it and each item. */
const NAMED_ITEMS = 1_000

/** Most items of any list that a schema takes; infinite where it says no number. */
function longestList(schema: z.core.$ZodType): number {
  const { def } = schema._zod as z.core.$ZodTypes['_zod']
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return longestList(def.innerType)
    case 'pipe':
      return longestList(def.in)
    case 'object':
      return def.catchall && !isNever(def.catchall) ? Infinity : longestOf(Object.values(def.shape))
    case 'union':
      return longestOf(def.options)
    case 'array':
      return Math.max(maxLengthOf(def.checks ?? []), longestList(def.element))
    case 'string':
    case 'number':
    case 'boolean':
    case 'literal':
    case 'enum':
    case 'null':
      return 0
    default:
      return Infinity
  }
}
const maxLengthOf = (checks: readonly z.core.$ZodCheck<never>[]) =>
  Math.min(Infinity, ...checks.map(({ _zod: { def } }) => ('maximum' in def ? Number(def.maximum) : Infinity)))
const longestOf = (schemas: readonly z.core.$ZodType[]) => Math.max(0, ...schemas.map(longestList))
const isNever = (schema: z.core.$ZodType) => schema._zod.def.type === 'never'

/** One item too many is still named by the schema, more are not read. */
function maxItemsOf(input: z.core.$ZodType | undefined): number | undefined {
  const longest = input ? longestList(input) : 0
  return Number.isFinite(longest) ? Math.max(NAMED_ITEMS, longest) + 1 : undefined
}

const isParam = (part: string) => part.startsWith('{')

/** Every REST operation. Static paths come before those with parameters. */
export const allRoutes = (): Route[] =>
  restOperations()
    .filter(({ ownHandler }) => !ownHandler)
    .map(({ openapi, input, ...operation }): Route => {
      const shape = input instanceof z.ZodObject ? input.shape : {}
      return {
        ...operation,
        deprecated: operation.rest.deprecated,
        method: openapi.method,
        path: openapi.path,
        maxItems: maxItemsOf(input),
        parts: openapi.path.split('/').filter(Boolean),
        fields: new Map(Object.entries(shape).map(([name, schema]) => [name, kindOf(schema)])),
      }
    })
    .sort((a, b) => a.parts.filter(isParam).length - b.parts.filter(isParam).length)

/**
 * The routes that match a path, whatever their method. One that takes the rest of the path is there
 * for what no other matches.
 */
export function matchPath<R extends Pick<Route, 'parts' | 'tail'>>(
  routes: readonly R[],
  parts: readonly string[],
): R[] {
  const found = routes.filter(
    (r) =>
      (r.parts.length === parts.length || (r.tail && r.parts.length < parts.length)) &&
      r.parts.every((p, i) => isParam(p) || p === parts[i]),
  )
  const whole = found.filter(({ tail }) => !tail)
  return whole.length > 0 ? whole : found
}

/** The values of a route's path parameters, still text. */
export const pathParams = (route: Route, parts: readonly string[]): [string, string][] =>
  route.parts.flatMap((p, i): [string, string][] => {
    const isRest = route.tail && i === route.parts.length - 1
    return isParam(p) ? [[p.slice(1, -1), isRest ? parts.slice(i).join('/') : (parts[i] ?? '')]] : []
  })

/**
 * Text of the path or the query string as its field's type. Invalid text stays text, for the schema
 * to refuse.
 */
export function parseParam(text: string, kind: Kind): unknown {
  if (kind === 'number') return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
  if (kind === 'boolean') return text === 'true' || (text === 'false' ? false : text)
  return text
}
