type Sized = { bytes: number; etag: string }

/**
 * The byte range that a GET asks for (RFC 9110, 14), `unsatisfiable` when the file has none of it,
 * or null for the whole file: no Range, an invalid one, several, or an If-Range with another
 * version.
 */
export function parseRange(
  headers: Headers,
  { bytes, etag }: Sized,
): { start: number; end: number } | 'unsatisfiable' | null {
  const [, from, to] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(headers.get('range') ?? '') ?? []
  if (from === undefined || to === undefined || from + to === '') return null
  const condition = headers.get('if-range')
  // Files have no date, so only the exact version can match; a weak one never does.
  if (condition !== null && condition.trim() !== etag) return null
  const suffix = from === ''
  const start = suffix ? Math.max(0, bytes - Number(to)) : Number(from)
  const end = suffix || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)
  if (!suffix && to !== '' && Number(to) < start) return null
  return start > end ? 'unsatisfiable' : { start, end }
}
