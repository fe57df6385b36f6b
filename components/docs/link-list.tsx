import Link from 'next/link'
import type { ReactNode } from 'react'

export type ListedLink = { href: string; title: ReactNode; note: string; aside?: ReactNode }

/** Pages under a heading, each with a sentence. */
export const LinkList = ({ title, links }: { title: string; links: readonly ListedLink[] }) => (
  <section>
    <h2 className="mb-2 font-semibold">{title}</h2>
    <ul className="divide-y rounded border bg-raised">
      {links.map(({ href, title: name, note, aside }) => (
        <li key={href} className="relative flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-3 py-2 hover:bg-sunken">
          <Link href={href} prefetch={false} className="basis-80 font-medium text-accent after:absolute after:inset-0">
            {name}
          </Link>
          <p className="min-w-0 flex-1 basis-64 text-table text-muted">{note}</p>
          {aside && <p className="text-table">{aside}</p>}
        </li>
      ))}
    </ul>
  </section>
)
