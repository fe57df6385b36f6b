import Link from 'next/link'
import { cn } from '../ui/cn'
import { TimeAgo } from '../ui/time-ago'
import type { NoticeRow } from './shape'

/** Notices, each a link to the page that shows more; unread ones stand out. */
export const NoticeRows = ({ rows }: { rows: readonly NoticeRow[] }) => (
  <ul className="divide-y">
    {rows.map(({ id, text, href, createdAt, isUnread }) => (
      <li key={id}>
        <Link href={href} prefetch={false} className="grid gap-0.5 px-3 py-2 hover:bg-sunken">
          <span className={cn('[overflow-wrap:anywhere]', isUnread && 'font-medium')}>
            {isUnread && <span className="sr-only">Unread: </span>}
            {text}
          </span>
          <span className="text-caption text-muted">
            <TimeAgo at={createdAt} />
          </span>
        </Link>
      </li>
    ))}
  </ul>
)
