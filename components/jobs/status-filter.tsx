import Link from 'next/link'
import type { JobStatus } from '@/server/agent/shape'
import { cn } from '../ui/cn'
import { JOB_STATUSES } from './labels'

/** The status filter of the job list, kept in the URL. */
export const JobStatusFilter = ({ status }: { status?: JobStatus }) => (
  <nav aria-label="Show" className="mb-3 flex flex-wrap gap-1 text-table">
    {[{ id: undefined, word: 'All' }, ...JOB_STATUSES].map(({ id, word }) => (
      <Link
        key={word}
        href={id ? `/jobs?status=${id}` : '/jobs'}
        scroll={false}
        aria-current={status === id ? 'true' : undefined}
        className={cn(
          'rounded border px-2 leading-6',
          status === id
            ? 'border-transparent bg-accent-weak font-medium text-accent'
            : 'bg-raised text-muted hover:text-text',
        )}
      >
        {word}
      </Link>
    ))}
  </nav>
)
