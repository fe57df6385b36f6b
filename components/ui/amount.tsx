import { cn } from './cn'

/** Credits with thin spaces between thousands. */
export function formatCredits(credits: number): string {
  const digits = String(Math.abs(credits)).replace(/\B(?=(\d{3})+$)/g, '\u202f')
  return credits < 0 ? `−${digits}` : digits
}

/** How much more or less an amount became, in percent: `+25 %`. */
export const formatChange = (percent: number): string => `${percent > 0 ? '+' : ''}${formatCredits(percent)} %`

/** Dollars at the reference rate; amounts under a dollar have four decimals. */
export function formatUsd(credits: number, creditsPerUsd: number): string {
  const usd = credits / creditsPerUsd
  const maximumFractionDigits = usd !== 0 && Math.abs(usd) < 1 ? 4 : 2
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits })}`
}

/** An exact amount of credits; `unit` adds the word. */
export const Credits = ({ value, unit = false, className }: { value: number; unit?: boolean; className?: string }) => (
  <span className={cn('num whitespace-nowrap', className)}>
    {formatCredits(value)}
    {unit && <span className="font-sans text-body font-normal text-muted"> {value === 1 ? 'credit' : 'credits'}</span>}
  </span>
)

/** What credits are worth at the reference rate; other plans may have other rates. */
export const Usd = ({ credits, rate, className }: { credits: number; rate: number; className?: string }) => (
  <span
    className={cn('text-muted whitespace-nowrap', className)}
    title={`At the reference rate of ${formatCredits(rate)} credits a dollar. Indicative only.`}
  >
    ≈ {formatUsd(credits, rate)} at the reference rate
  </span>
)
