'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { cn } from '../ui/cn'
import { showCurrentLink } from './current-link'

type SideLink = { href: string; label: string }

/** `below`: pages that are listed only where the reader is among them. */
export type SideGroup = { title: string; links: (SideLink & { below?: SideLink[] })[] }

/** The pages of the documentation, in groups; the current one is marked and in view. */
export function SideLinks({ groups }: { groups: readonly SideGroup[] }) {
  const path = usePathname()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (list.current) showCurrentLink(list.current, path)
  }, [path])
  const linkOf = ({ href, label }: SideLink, isBelow = false) => (
    <Link
      href={href}
      prefetch={false}
      aria-current={path === href ? 'page' : undefined}
      className={cn(
        '-mx-2 block rounded px-2 py-1 text-muted [overflow-wrap:anywhere] hover:bg-sunken hover:text-text',
        isBelow && 'ml-1',
        path === href && 'bg-accent-weak font-medium text-accent hover:bg-accent-weak hover:text-accent',
      )}
    >
      {label}
    </Link>
  )
  return (
    <div ref={list} data-side-links className="grid gap-5 text-table">
      {groups.map(({ title, links }) => (
        <div key={title}>
          <p className="mb-1 font-semibold">{title}</p>
          <ul>
            {links.map(({ below = [], ...link }) => (
              <li key={link.href}>
                {linkOf(link)}
                {below.length > 0 && path.startsWith(link.href) && (
                  <ul>
                    {below.map((one) => (
                      <li key={one.href}>{linkOf(one, true)}</li>
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}
