/**
 * A text as PostgreSQL can keep it: without NUL, and with every half of a surrogate pair replaced.
 */
export const sanitizeTextForPostgres = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/**
 * A value as JSON that PostgreSQL's `jsonb` accepts: its texts and names without the characters
 * that it refuses.
 */
export const sanitizeJsonForPostgres = (value: unknown): string =>
  JSON.stringify(value ?? null, (_name, inner: unknown) => {
    if (typeof inner === 'string') return sanitizeTextForPostgres(inner)
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    const entries = Object.entries(inner)
    return entries.every(([name]) => name === sanitizeTextForPostgres(name))
      ? inner
      : Object.fromEntries(entries.map(([name, of]) => [sanitizeTextForPostgres(name), of]))
  })
