import Link from 'next/link'
import type { JobStatus } from '@/server/agent/shape'
import { formatCredits } from '../ui/amount'
import { cn } from '../ui/cn'
import { listUrl } from '../ui/list-url'
import { JOB_STATUSES } from './labels'

type Props = {
  status?: JobStatus
  /** How many jobs match the other filters, by status. */
  counts: ReadonlyMap<JobStatus, number>
  /** The URL's other parameters. */
  search: URLSearchParams
}

/** The status filter of the job list, kept in the URL, with how many jobs each choice shows. */
export function JobStatusFilter({ status, counts, search }: Props) {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return (
    <nav aria-label="Status" className="flex flex-wrap gap-1 text-table">
      {[{ id: undefined, word: 'All' }, ...JOB_STATUSES].map(({ id, word }) => (
        <Link
          key={word}
          href={listUrl('/jobs', search, { status: id ?? null })}
          scroll={false}
          prefetch={false}
          aria-current={status === id ? 'true' : undefined}
          className={cn(
            'rounded border px-2 leading-6',
            status === id
              ? 'border-transparent bg-accent-weak font-medium text-accent'
              : 'bg-raised text-muted hover:text-text',
          )}
        >
          {word} <span className="num text-caption">{formatCredits(id ? (counts.get(id) ?? 0) : all)}</span>
        </Link>
      ))}
    </nav>
  )
}
