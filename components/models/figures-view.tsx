import Link from 'next/link'
import { Credits, formatCredits, formatUsd } from '../ui/amount'
import { failedPercent, formatFirstToken, formatPercent, formatSpeed } from './figures'
import type { MeasuredCalls } from './shape'

type Props = { of: MeasuredCalls | null; model: string; rate: number }

/** What the account's latest calls of a model were like. */
export function FiguresView({ of, model, rate }: Props) {
  if (!of) {
    return (
      <p className="text-muted">
        No calls of this model yet: how fast it answers here, how often it fails and what a call usually costs appear
        with the first ones.
      </p>
    )
  }
  const calls = of.calls === 1 ? 'call' : 'calls'
  const rows = [
    ['First token', formatFirstToken(of.firstTokenMs), 'usually, of streamed answers'],
    ['Speed', formatSpeed(of.tokensPerSecond), 'tokens per second after it'],
    ['Failed', formatPercent(failedPercent(of)), `${of.failed} of ${of.calls} ${calls}`],
  ] as const
  return (
    <>
      <dl className="grid gap-px overflow-hidden rounded border bg-line sm:grid-cols-2 lg:grid-cols-4">
        {rows.map(([name, value, note]) => (
          <div key={name} className="bg-raised p-3">
            <dt className="text-caption text-muted">{name}</dt>
            <dd>
              <span className="num text-title">{value}</span>
              <span className="block text-caption text-muted">{note}</span>
            </dd>
          </div>
        ))}
        <div className="bg-raised p-3">
          <dt className="text-caption text-muted">Usual cost</dt>
          <dd>
            {of.charged === null ? (
              <span className="num text-title">—</span>
            ) : (
              <>
                <Credits value={of.charged} className="text-title" />
                <span className="block text-caption text-muted">credits a call, ≈ {formatUsd(of.charged, rate)}</span>
              </>
            )}
          </dd>
        </div>
      </dl>
      <p className="mt-2 text-caption text-muted">
        Of your latest {of.calls > 1 && formatCredits(of.calls)} {calls}, agent runs included.{' '}
        <Link href={`/usage?what=${encodeURIComponent(model)}`} prefetch={false} className="text-accent underline">
          See its receipts
        </Link>
      </p>
    </>
  )
}
