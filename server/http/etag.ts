/** True when an `If-None-Match` names this version: the client has it already. */
export function isNotModified(given: string | null, etag: string): boolean {
  if (given === null) return false
  const known = given.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}
