const MAX_CHARS = 240

/** "timeZone" as "time zone". */
const wordsOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

function textOf(value: unknown): string {
  if (value === null) return 'none'
  if (Array.isArray(value)) return value.length > 0 ? value.map(textOf).join(', ') : 'none'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** What changed in an event of the audit log, as one line; the CSV has all of it. */
export function auditDetails(detail: Record<string, unknown> | null): string {
  const parts = Object.entries(detail ?? {})
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${wordsOf(name)}: ${textOf(value)}`)
  const line = parts.join(' · ')
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line
}
