'use client'

import { CalendarDays } from 'lucide-react'
import Link from 'next/link'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useId, useState, useTransition } from 'react'
import { Button } from './button'
import { cn } from './cn'
import { Input } from './field'
import { listUrl } from './list-url'

type Props = {
  /** Names of ranges in the URL; null: the parameter is left out. */
  presets: readonly (readonly [range: string | null, label: string])[]
  /** The range that is shown; undefined: days of one's own. */
  now: string | null | undefined
  from?: string
  to?: string
  timeZone: string
}

/**
 * The days that a list is about, in the owner's time zone and in the URL: presets, or one's own,
 * whose fields are folded on narrow screens until they are used.
 */
export function RangeBar({ presets, now, from, to, timeZone }: Props) {
  const router = useRouter()
  const path = usePathname()
  const params = useSearchParams()
  const [busy, start] = useTransition()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const isShown = isOpen || from !== undefined || to !== undefined
  const urlOf = (set: Record<string, string | null>) => listUrl(path, new URLSearchParams(params), set)
  const change = (set: Record<string, string | null>) =>
    start(() => router.push(urlOf({ range: null, ...set }), { scroll: false }))
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2" aria-busy={busy}>
      <div className="flex items-start gap-2">
        <nav aria-label="Days" className="flex flex-wrap rounded border bg-raised p-0.5 text-table">
          {presets.map(([range, label]) => (
            <Link
              key={label}
              href={urlOf({ range, from: null, to: null })}
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
        <Button
          size="icon"
          className="sm:hidden"
          aria-label="Choose days"
          aria-expanded={isShown}
          aria-controls={id}
          onClick={() => setOpen(!isShown)}
        >
          <CalendarDays className="size-4" aria-hidden />
        </Button>
      </div>
      <div id={id} className={cn('flex-wrap items-center gap-2 text-table', isShown ? 'flex' : 'hidden sm:flex')}>
        <Input
          type="date"
          aria-label="From"
          key={`from ${from}`}
          defaultValue={from ?? ''}
          max={to}
          onChange={({ target }) => change({ from: target.value })}
          className="h-8 w-36"
        />
        <span aria-hidden>to</span>
        <Input
          type="date"
          aria-label="To"
          key={`to ${to}`}
          defaultValue={to ?? ''}
          min={from}
          onChange={({ target }) => change({ to: target.value })}
          className="h-8 w-36"
        />
        <span className="text-caption text-muted">Days in {timeZone}</span>
      </div>
    </div>
  )
}
