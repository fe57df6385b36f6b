import Link from 'next/link'
import { urlWith } from '../ui/list-url'
import type { UsageFilters } from './filters'

/** Whether the calls of an agent job are one row. */
export const GroupByJob = ({ filters }: { filters: UsageFilters }) => {
  const isGrouped = filters.group === 'job'
  return (
    <Link
      href={urlWith('/usage', { ...filters, group: isGrouped ? undefined : 'job' })}
      scroll={false}
      prefetch={false}
      className="text-table text-accent underline underline-offset-2"
    >
      {isGrouped ? 'Show every call' : 'Group by job'}
    </Link>
  )
}
