import type { IncomingMessage } from 'node:http'
import { findSimilarPath } from '../../http/similar-path'
import { OTHER } from './page-routes'

/** What a form of a page is sent as. */
const FORM = /^(multipart\/form-data|application\/x-www-form-urlencoded|text\/plain)\b/i

/** True for what browsers ask for: pages, their parts and data, and forms of theirs. */
function isOfBrowser({ method, headers }: IncomingMessage): boolean {
  if ('sec-fetch-mode' in headers || 'rsc' in headers || 'next-action' in headers) return true
  if (method === 'GET' || method === 'HEAD') return /\btext\/html\b/i.test(headers.accept ?? '')
  return method === 'POST' && FORM.test(headers['content-type'] ?? '')
}

/** The page at a path, as `page-routes.ts` finds it, and whether the build's pages are known. */
type PageAt = { route: string; isBuilt: boolean }

/**
 * True for a request of a program to a path that no handler has, which reads an error in JSON and
 * not a page: an operation under another base URL, or nothing that anything has.
 */
export function isMissingOfApi(req: IncomingMessage, path: string, { route, isBuilt }: PageAt): boolean {
  const { method = 'GET' } = req
  const isRead = method === 'GET' || method === 'HEAD'
  if (isRead) return route === OTHER && !isOfBrowser(req) && (isKnown('GET', path) || (isBuilt && !isFile(path)))
  if (isOfBrowser(req)) return route === OTHER && isKnown(method, path)
  return isKnown(method, path) || (method === 'POST' && isBuilt && route === OTHER)
}

const isKnown = (method: string, path: string): boolean => findSimilarPath(method, path) !== undefined

const isFile = (path: string): boolean => /\.\w+$/.test(path)
