import { Credits, formatCredits } from './amount'
import { cn } from './cn'

type Amounts = {
  /** Most credits: a budget, a limit, or all of a balance. */
  whole: number
  /** Undefined for a balance, of which only what is left and reserved is known. */
  spent?: number
  /** Held by calls in progress. */
  reserved?: number
}

const leftOf = ({ whole, spent = 0, reserved = 0 }: Amounts) => Math.max(0, whole - spent - reserved)

/** What a meter shows, in words. */
export function describeMeter(amounts: Amounts): string {
  const { whole, spent, reserved = 0 } = amounts
  const first = spent === undefined ? '' : `${formatCredits(spent)} of ${formatCredits(whole)} credits spent, `
  return `${first}${formatCredits(reserved)} reserved, ${formatCredits(leftOf(amounts))} left`
}

const share = (value: number, whole: number) => `${whole > 0 ? Math.min(100, (value / whole) * 100) : 0}%`

/**
 * A bar of credits: filled is spent, hatched is reserved, pale is left. `low`: little is left.
 * `label` names what it measures.
 */
export function Meter({
  label,
  low = false,
  className,
  ...amounts
}: Amounts & { label: string; low?: boolean; className?: string }) {
  const { whole, spent = 0, reserved = 0 } = amounts
  return (
    <div
      role="img"
      aria-label={`${label}: ${describeMeter(amounts)}`}
      className={cn(
        'flex h-1.5 overflow-hidden rounded-full',
        leftOf(amounts) > 0 ? 'meter-left' : 'bg-line',
        className,
      )}
    >
      {spent > 0 && (
        <div className={cn('min-w-[2px]', low ? 'bg-warn' : 'bg-accent')} style={{ width: share(spent, whole) }} />
      )}
      {reserved > 0 && <div className="hatched min-w-[2px]" style={{ width: share(reserved, whole) }} />}
    </div>
  )
}

const Swatch = ({ className }: { className: string }) => (
  <span aria-hidden className={cn('inline-block h-1.5 w-3 rounded-full', className)} />
)

/** What the parts of a meter mean, with their amounts. */
export function MeterLegend({ low = false, className, ...amounts }: Amounts & { low?: boolean; className?: string }) {
  const { spent, reserved = 0 } = amounts
  const parts = [
    ...(spent === undefined ? [] : [{ word: 'spent', value: spent, look: low ? 'bg-warn' : 'bg-accent' }]),
    { word: 'reserved', value: reserved, look: 'hatched' },
    { word: 'left', value: leftOf(amounts), look: 'meter-left' },
  ]
  return (
    <ul className={cn('flex flex-wrap gap-x-4 gap-y-1 text-caption text-muted', className)}>
      {parts.map(({ word, value, look }) => (
        <li key={word} className="inline-flex items-center gap-1.5 whitespace-nowrap">
          <Swatch className={look} />
          <Credits value={value} /> {word}
        </li>
      ))}
    </ul>
  )
}
