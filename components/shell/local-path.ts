/**
 * The path to return to, or `otherwise`. The `next` of a link is untrusted and must not lead to
 * another site (`//evil`, `/\evil`, or with control characters that browsers drop).
 */
export function localPath(path: unknown, otherwise: string): string {
  if (typeof path !== 'string' || !/^\/(?![/\\])[\x20-\x7e]*$/.test(path)) return otherwise
  const base = 'http://here.invalid'
  const url = URL.canParse(path, base) ? new URL(path, base) : null
  // Dots may have been resolved to a second leading slash.
  if (url?.origin !== base || url.pathname.startsWith('//')) return otherwise
  return url.pathname + url.search + url.hash
}
