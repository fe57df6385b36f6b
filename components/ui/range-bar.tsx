'use client'

import { CalendarDays } from 'lucide-react'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useId, useState, useTransition } from 'react'
import { Button } from './button'
import { ChoiceLinks } from './choice-links'
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
  const change = (set: Record<string, string | null>) => {
    const url = listUrl(path, new URLSearchParams(params), { range: null, ...set })
    start(() => router.push(url, { scroll: false }))
  }
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2" aria-busy={busy}>
      <div className="flex items-start gap-2">
        <ChoiceLinks label="Days" choices={presets} now={now} set={(range) => ({ range, from: null, to: null })} />
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
