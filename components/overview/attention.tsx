import { CircleAlert, CircleCheck } from 'lucide-react'
import Link from 'next/link'
import type { OverviewData } from './shape'

/** What needs the owner's attention, with links. */
export const Attention = ({ items }: { items: OverviewData['attention'] }) =>
  items.length === 0 ? (
    <p className="flex items-center gap-2.5 rounded border bg-raised px-3 py-2 text-muted">
      <CircleCheck className="size-4 shrink-0" aria-hidden />
      Nothing needs your attention.
    </p>
  ) : (
    <ul className="divide-y rounded border bg-raised">
      {items.map(({ text, href }) => (
        <li key={href + text}>
          <Link href={href} className="flex items-center gap-2.5 px-3 py-2 hover:bg-sunken">
            <CircleAlert className="size-4 shrink-0 text-warn" aria-hidden />
            {text}
          </Link>
        </li>
      ))}
    </ul>
  )
