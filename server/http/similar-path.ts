import { restOperations } from '../api/operations'
import { lazy } from '../kit/lazy'
import { type Api, findMissingPath } from './missing-paths'
import { matchPath } from './routes'

/** A path that does not exist, in the envelope of whoever asks for it. */
export type MissingPath = { api: Api; message: string }

const operations = lazy(() =>
  restOperations().map(({ openapi: { method, path }, tail, errors }) => ({
    method,
    path,
    tail,
    api: (errors ?? 'rest') as Api,
    parts: path.split('/').filter(Boolean),
  })),
)

const BASE = '/api/v1/'

/** Parts that a wrong base URL may put before a path. */
const MAX_BEFORE = 4

/** What is at each place of a path, from its beginning on: the first that `find` knows. */
function findAt<T>(parts: readonly string[], find: (rest: string[]) => T | undefined): T | undefined {
  for (let i = 0; i <= MAX_BEFORE && i < parts.length; i++) {
    const found = find(parts.slice(i))
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * What was meant by a path that does not exist: an operation under another base URL, or what
 * another API has there. `path` begins with a slash.
 */
export function findSimilarPath(method: string, path: string): MissingPath | undefined {
  const parts = (path.startsWith(BASE) ? path.slice(BASE.length) : path).split('/').filter(Boolean)
  const there = `There is no ${path.slice(0, 120)} here`
  const ofOther = (rest: readonly string[]): MissingPath | undefined => {
    const other = findMissingPath(rest.join('/'))
    return other && { api: other.api, message: `${there}. ${other.instead}` }
  }
  const meantBy = (rest: readonly string[]): MissingPath | undefined => {
    const operation = matchPath(operations(), rest).find((each) => each.method === method)
    if (!operation) return undefined
    return { api: operation.api, message: `${there}: send ${method} ${BASE}${rest.join('/').slice(0, 120)}.` }
  }
  const found = meantBy(parts) ?? ofOther(parts) ?? findAt(parts, meantBy) ?? findAt(parts, ofOther)
  return found && path.startsWith(`${BASE}v1/`) ? { ...found, message: `${found.message} ${TWICE}` } : found
}

const TWICE =
  'The address has /v1 twice: the base URL ends with /v1 for OpenAI clients, and without it for Anthropic clients.'
