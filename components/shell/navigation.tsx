'use client'

import { Ellipsis } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useEffect, useState } from 'react'
import { cn } from '../ui/cn'
import { NAVIGATION_ITEMS, type NavigationItem } from './navigation-items'

/** Rooms that a phone's bar has room for; the others are behind "More". */
const IN_BAR = 4

const isIn = (path: string, href: string) => path === href || path.startsWith(`${href}/`)

const look =
  'flex items-center text-muted hover:text-text max-md:min-w-0 max-md:flex-1 max-md:flex-col max-md:gap-0.5 max-md:py-2 max-md:text-caption md:gap-2.5 md:rounded md:px-2.5 md:py-1.5'
const here = 'font-medium text-text max-md:text-accent md:bg-sunken'

const RoomLink = ({ room: { href, label, icon: Icon }, path }: { room: NavigationItem; path: string }) => (
  <Link href={href} aria-current={isIn(path, href) ? 'page' : undefined} className={cn(look, isIn(path, href) && here)}>
    <Icon className={cn('size-4 shrink-0', isIn(path, href) && 'text-accent')} aria-hidden />
    {label}
  </Link>
)

/** The way between rooms: a column at the left, on a phone a bar at the bottom with the rest behind a button. */
export function Navigation() {
  const path = usePathname()
  const [openAt, setOpenAt] = useState<string | null>(null)
  // Open on the page where it was opened: the way to another one closes it.
  const isOpen = openAt === path
  useEffect(() => {
    if (!isOpen) return
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && setOpenAt(null)
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOpen])
  const rest = NAVIGATION_ITEMS.slice(IN_BAR)
  return (
    <nav
      aria-label="Rooms"
      className="flex max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-30 max-md:border-t max-md:bg-raised max-md:pb-[env(safe-area-inset-bottom)] md:flex-col md:gap-0.5"
    >
      {NAVIGATION_ITEMS.slice(0, IN_BAR).map((room) => (
        <RoomLink key={room.href} room={room} path={path} />
      ))}
      <div
        id="more-rooms"
        className={cn(
          'contents max-md:absolute max-md:inset-x-0 max-md:bottom-full max-md:grid max-md:grid-cols-3 max-md:border-t max-md:bg-raised max-md:shadow-[0_-8px_24px_oklch(0_0_0/0.14)]',
          !isOpen && 'max-md:hidden',
        )}
      >
        {rest.map((room) => (
          <RoomLink key={room.href} room={room} path={path} />
        ))}
      </div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls="more-rooms"
        onClick={() => setOpenAt(isOpen ? null : path)}
        className={cn(look, 'md:hidden', rest.some(({ href }) => isIn(path, href)) && here)}
      >
        <Ellipsis className="size-4 shrink-0" aria-hidden />
        More
      </button>
    </nav>
  )
}
