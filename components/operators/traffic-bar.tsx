'use client'

import type { ReactNode } from 'react'
import type { TrafficPage } from '@/server/operators/shape'
import { ChoiceLinks } from '../ui/choice-links'

const RANGES = [
  ['now', 'Last 5 minutes'],
  ['hour', 'Last hour'],
  ['day', 'Last 24 hours'],
] as const

const SORTS = [
  ['requests', 'Requests'],
  ['refused', 'Refused'],
  ['errors', 'Errors'],
  ['latency', 'Time'],
  ['time', 'Time in all'],
  ['inProgress', 'In progress'],
  ['spent', 'Credits'],
] as const

type Props = {
  now: Pick<TrafficPage, 'range' | 'sort'>
  /** From when on it is counted. */
  since: ReactNode
  hasRows: boolean
}

/** The hours that are counted; and the order, where the columns that sort are hidden. */
export const TrafficBar = ({ now, since, hasRows }: Props) => (
  <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
    <ChoiceLinks
      label="Hours"
      choices={RANGES}
      now={now.range}
      set={(range) => ({ range: range === 'hour' ? null : range })}
    />
    <span className="text-caption text-muted">Since {since}</span>
    {hasRows && (
      <ChoiceLinks
        label="Most first"
        className="lg:hidden"
        choices={SORTS}
        now={now.sort}
        set={(sort) => ({ sort: sort === 'requests' ? null : sort, order: null })}
      />
    )}
  </div>
)
