/**
 * A path of this site to go on to, or `otherwise`: what stands in a link's `next` may be made up by a stranger,
 * and must not lead to another site (`//evil`, `/\evil`, or with control characters that browsers drop).
 */
export function localPath(path: unknown, otherwise: string): string {
  if (typeof path !== 'string' || !/^\/(?![/\\])[\x20-\x7e]*$/.test(path)) return otherwise
  const base = 'http://here.invalid'
  const url = URL.canParse(path, base) ? new URL(path, base) : null
  // Dots may have been resolved to a second leading slash.
  if (url?.origin !== base || url.pathname.startsWith('//')) return otherwise
  return url.pathname + url.search + url.hash
}
