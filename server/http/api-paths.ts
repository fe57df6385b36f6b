const BASE = '/api/v1'

/** Base URLs that clients of other APIs have built in. */
const ALIAS = /^\/(?:openai\/)?v1(?=[/?#]|$)/

/**
 * A request's target as the table of mounts has it: `/v1/x` and `/openai/v1/x` are `/api/v1/x`, and
 * slashes at the end of a path of the API count for nothing.
 */
export function canonicalTarget(target: string): string {
  const named = ALIAS.test(target) ? target.replace(ALIAS, BASE) : target
  if (!named.startsWith(BASE)) return named
  const end = named.search(/[?#]/)
  const path = end < 0 ? named : named.slice(0, end)
  if (path === BASE) return `${BASE}/${named.slice(BASE.length)}`
  if (!path.endsWith('/') || !path.startsWith(`${BASE}/`)) return named
  let stop = path.length
  while (path[stop - 1] === '/') stop--
  const kept = path.slice(0, stop)
  return (kept === BASE ? `${BASE}/` : kept) + named.slice(path.length)
}

/** A request under the path that `canonicalTarget` gives it. */
export function canonicalRequest(req: Request): Request {
  const url = new URL(req.url)
  url.pathname = canonicalTarget(url.pathname)
  return new Request(url, req)
}
