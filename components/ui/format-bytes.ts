const UNITS = ['B', 'kB', 'MB', 'GB']

/** A size in the largest unit of which there is at least one, in thousands: `1.2 MB`. */
export function formatBytes(bytes: number): string {
  const at = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1)
  const number = new Intl.NumberFormat('en', { maximumFractionDigits: at === 0 ? 0 : 1 })
  return `${number.format(bytes / 1_000 ** at)} ${UNITS[at]}`
}
