'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { cn } from '../ui/cn'
import { ROOMS } from './rooms'

const isIn = (path: string, href: string) => path === href || path.startsWith(`${href}/`)

/** The way between rooms: a column at the left, on a phone a bar at the bottom. */
export function Navigation() {
  const path = usePathname()
  return (
    <nav
      aria-label="Rooms"
      className="flex max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-30 max-md:overflow-x-auto max-md:border-t max-md:bg-raised max-md:pb-[env(safe-area-inset-bottom)] md:flex-col md:gap-0.5"
    >
      {ROOMS.map(({ href, label, icon: Icon }) => (
        <Link
          key={href}
          href={href}
          aria-current={isIn(path, href) ? 'page' : undefined}
          className={cn(
            'flex items-center text-muted hover:text-text max-md:min-w-18 max-md:flex-1 max-md:flex-col max-md:gap-0.5 max-md:py-2 max-md:text-caption md:gap-2.5 md:rounded md:px-2.5 md:py-1.5',
            isIn(path, href) && 'font-medium text-text max-md:text-accent md:bg-sunken',
          )}
        >
          <Icon className={cn('size-4 shrink-0', isIn(path, href) && 'text-accent')} aria-hidden />
          {label}
        </Link>
      ))}
    </nav>
  )
}
