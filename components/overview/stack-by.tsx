import Link from 'next/link'
import { cn } from '../ui/cn'

/** What the bars of the spend chart are stacked by. */
export const StackBy = ({ by }: { by: 'product' | 'key' }) => (
  <nav aria-label="Stack by" className="flex rounded border bg-raised p-0.5 text-table">
    {(['product', 'key'] as const).map((choice) => (
      <Link
        key={choice}
        href={choice === 'product' ? '/overview' : '/overview?by=key'}
        scroll={false}
        prefetch={false}
        aria-current={by === choice ? 'true' : undefined}
        className={cn(
          'rounded-[4px] px-2 leading-6',
          by === choice ? 'bg-accent-weak font-medium text-accent' : 'text-muted hover:text-text',
        )}
      >
        by {choice}
      </Link>
    ))}
  </nav>
)
