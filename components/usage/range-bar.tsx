'use client'

import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import { cn } from '../ui/cn'
import { Input } from '../ui/field'
import { rangeOf, type UsageFilters, urlWithFilters } from './filters'

const PRESETS = [
  ['today', 'Today'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['month', 'This month'],
  ['all', 'All'],
] as const

/** The days that the usage page is about, in the owner's time zone: presets, or one's own. */
export function RangeBar({ filters, timeZone }: { filters: UsageFilters; timeZone: string }) {
  const router = useRouter()
  const [busy, start] = useTransition()
  const now = rangeOf(filters)
  const { range: _, from, to, ...others } = filters
  const change = (set: Pick<UsageFilters, 'from' | 'to'>) =>
    start(() => router.push(urlWithFilters('/usage', { ...others, from, to, ...set }), { scroll: false }))
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2" aria-busy={busy}>
      <nav aria-label="Days" className="flex flex-wrap rounded border bg-raised p-0.5 text-table">
        {PRESETS.map(([range, label]) => (
          <Link
            key={range}
            href={urlWithFilters('/usage', { ...others, range })}
            scroll={false}
            prefetch={false}
            aria-current={range === now ? 'true' : undefined}
            className={cn(
              'rounded-[4px] px-2 leading-7',
              range === now ? 'bg-accent-weak font-medium text-accent' : 'text-muted hover:text-text',
            )}
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className="flex flex-wrap items-center gap-2 text-table">
        <Input
          type="date"
          aria-label="From"
          key={`from ${from}`}
          defaultValue={from ?? ''}
          max={to}
          onChange={({ target }) => change({ from: target.value || undefined })}
          className="h-8 w-36"
        />
        <span aria-hidden>to</span>
        <Input
          type="date"
          aria-label="To"
          key={`to ${to}`}
          defaultValue={to ?? ''}
          min={from}
          onChange={({ target }) => change({ to: target.value || undefined })}
          className="h-8 w-36"
        />
        <span className="text-caption text-muted">Days in {timeZone}</span>
      </div>
    </div>
  )
}
