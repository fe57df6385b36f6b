import Link from 'next/link'
import { CallChannel, Product, type UsageBreakdown, type UsageTotals } from '@/server/credits/shape'
import { StackedBars } from '../charts/stacked-bars'
import { Credits, formatCredits } from '../ui/amount'
import { cn } from '../ui/cn'
import { urlWith } from '../ui/list-url'
import { Card, Section } from '../ui/page'
import type { UsageFilters } from './filters'
import { CHANNEL_LABELS, PRODUCT_LABELS } from './receipt-labels'
import { BREAKDOWN_LABELS } from './usage-labels'

const LABELS: Partial<Record<UsageBreakdown, Record<string, string>>> = {
  product: PRODUCT_LABELS,
  channel: CHANNEL_LABELS,
}

/** The filter that a part of the breakdown stands for; null: it has none. */
function filterOf(by: UsageBreakdown, id: string | null): UsageFilters | null {
  if (id === null || id.startsWith('all ') || (by === 'key' && id === '0')) return null
  if (by === 'key') return { keyId: Number(id) }
  if (by === 'product') return { product: Product.parse(id) }
  if (by === 'channel') return { channel: CallChannel.parse(id) }
  return { what: id }
}

const ByChoice = ({ by, filters }: { by: UsageBreakdown; filters: UsageFilters }) => (
  <nav aria-label="Break down by" className="flex flex-wrap rounded border bg-raised p-0.5 text-table">
    {Object.entries(BREAKDOWN_LABELS).map(([choice, label]) => (
      <Link
        key={choice}
        href={urlWith('/usage', { ...filters, by: choice as UsageBreakdown })}
        scroll={false}
        prefetch={false}
        aria-current={by === choice ? 'true' : undefined}
        className={cn(
          'rounded-[4px] px-2 leading-6',
          by === choice ? 'bg-accent-weak font-medium text-accent' : 'text-muted hover:text-text',
        )}
      >
        {label}
      </Link>
    ))}
  </nav>
)

/** Spend over the chosen days as a chart, and its parts, with links that narrow the filters. */
export function UsageChart({
  totals,
  by,
  filters,
}: {
  totals: UsageTotals
  by: UsageBreakdown
  filters: UsageFilters
}) {
  const series = totals.series.map((one) => ({ ...one, name: LABELS[by]?.[one.name] ?? one.name }))
  return (
    <Section title="Spend" className="mb-6" aside={<ByChoice by={by} filters={filters} />}>
      <Card className="grid gap-5 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <StackedBars
          buckets={totals.buckets}
          unit={totals.unit}
          series={series}
          label={`Credits by ${BREAKDOWN_LABELS[by].toLowerCase()}`}
          timeZone={totals.timeZone}
        />
        <table className="w-full self-start text-table">
          <caption className="sr-only">Totals by {BREAKDOWN_LABELS[by].toLowerCase()}</caption>
          <thead className="text-caption text-muted">
            <tr>
              <th scope="col" className="py-1 text-left font-medium">
                {BREAKDOWN_LABELS[by]}
              </th>
              <th scope="col" className="px-2 text-right font-medium">
                Calls
              </th>
              <th scope="col" className="px-2 text-right font-medium max-sm:hidden">
                Failed
              </th>
              <th scope="col" className="text-right font-medium">
                Credits
              </th>
            </tr>
          </thead>
          <tbody>
            {series.map(({ id, name, calls, failed, charged }) => {
              const filter = filterOf(by, id)
              return (
                <tr key={name} className="border-t">
                  <th scope="row" className="max-w-40 truncate py-1 text-left font-normal" title={name}>
                    {filter ? (
                      <Link
                        href={urlWith('/usage', { ...filters, ...filter })}
                        prefetch={false}
                        className="hover:underline"
                      >
                        {name}
                      </Link>
                    ) : (
                      name
                    )}
                  </th>
                  <td className="num px-2 text-right">{formatCredits(calls)}</td>
                  <td className="num px-2 text-right max-sm:hidden">{formatCredits(failed)}</td>
                  <td className="text-right">
                    <Credits value={charged} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </Card>
    </Section>
  )
}
