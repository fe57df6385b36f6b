'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { cn } from '../ui/cn'

export type SideGroup = { title: string; links: { href: string; label: string }[] }

/** The pages of the documentation, in groups; the current one is marked. */
export function SideLinks({ groups }: { groups: readonly SideGroup[] }) {
  const path = usePathname()
  return (
    <div className="grid gap-5 text-table">
      {groups.map(({ title, links }) => (
        <div key={title}>
          <p className="mb-1 font-semibold">{title}</p>
          <ul>
            {links.map(({ href, label }) => (
              <li key={href}>
                <Link
                  href={href}
                  prefetch={false}
                  aria-current={path === href ? 'page' : undefined}
                  className={cn(
                    '-mx-2 block rounded px-2 py-1 text-muted hover:bg-sunken hover:text-text',
                    path === href && 'bg-accent-weak font-medium text-accent hover:bg-accent-weak hover:text-accent',
                  )}
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}
