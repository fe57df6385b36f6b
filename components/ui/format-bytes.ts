const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** A size in the largest unit of which there is at least one, in thousands: `1.2 MB`. */
export function formatBytes(bytes: number): string {
  const at = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1)
  const format = {
    style: 'unit',
    unit: UNITS[at],
    unitDisplay: 'short',
    maximumFractionDigits: at === 0 ? 0 : 1,
  } as const
  return new Intl.NumberFormat('en', format).format(bytes / 1_000 ** at)
}
