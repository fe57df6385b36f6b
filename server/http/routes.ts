import { z } from 'zod'
import { restOperations } from '../api/operations'

type Kind = 'number' | 'boolean' | 'array' | 'text'

/** One REST operation, read from a procedure's openapi meta. */
export type Route = {
  method: string
  parts: string[]
  /** The procedure's path in the router. */
  procedure: string
  type: 'query' | 'mutation'
  /** What a text from path or query string is turned into, by field. The schema itself is left alone. */
  fields: ReadonlyMap<string, Kind>
  success: number
  maxBody: number | undefined
  /** The last parameter takes the rest of the path. */
  tail: boolean
  chatErrors: boolean
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

const isParam = (part: string) => part.startsWith('{')

/** Every REST operation. Static paths come before those with parameters. */
export const allRoutes = (): Route[] =>
  restOperations()
    .filter(({ ownDoor }) => !ownDoor)
    .map(({ openapi, input, ...operation }): Route => {
      const shape = input instanceof z.ZodObject ? input.shape : {}
      return {
        ...operation,
        method: openapi.method,
        parts: openapi.path.split('/').filter(Boolean),
        fields: new Map(Object.entries(shape).map(([name, schema]) => [name, kindOf(schema)])),
      }
    })
    .sort((a, b) => a.parts.filter(isParam).length - b.parts.filter(isParam).length)

/** The routes whose path fits, whatever their method. */
export const matchPath = (routes: readonly Route[], parts: readonly string[]): Route[] =>
  routes.filter(
    (r) =>
      (r.parts.length === parts.length || (r.tail && r.parts.length < parts.length)) &&
      r.parts.every((p, i) => isParam(p) || p === parts[i]),
  )

/** The values of a route's path parameters, still text. */
export const pathParams = (route: Route, parts: readonly string[]): [string, string][] =>
  route.parts.flatMap((p, i): [string, string][] => {
    const isRest = route.tail && i === route.parts.length - 1
    return isParam(p) ? [[p.slice(1, -1), isRest ? parts.slice(i).join('/') : (parts[i] ?? '')]] : []
  })

/** A text from path or query string as its field's kind; left as it is when it does not fit, for the schema to refuse. */
export function parseParam(text: string, kind: Kind): unknown {
  if (kind === 'number') return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
  if (kind === 'boolean') return text === 'true' || (text === 'false' ? false : text)
  return text
}
