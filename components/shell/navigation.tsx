'use client'

import { Ellipsis } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { type ReactNode, useEffect, useState } from 'react'
import { cn } from '../ui/cn'
import { type NavigationHref, type NavigationItem, navigationItems, type Viewer } from './navigation-items'

/** How many pages fit in a phone's bar; the others are behind "More". */
const IN_BAR = 4

const isIn = (path: string, href: string) => path === href || path.startsWith(`${href}/`)

const linkClass =
  'flex items-center text-muted hover:text-text max-md:min-w-0 max-md:flex-1 max-md:flex-col max-md:gap-0.5 max-md:py-2 max-md:text-caption md:gap-2.5 md:rounded md:px-2.5 md:py-1.5'
const currentClass = 'font-medium text-text max-md:text-accent md:bg-sunken'

type ItemProps = { item: NavigationItem; icon: ReactNode; path: string }

/** A page's link. The page is fetched ahead when somebody is about to follow it. */
function ItemLink({ item: { href, label }, icon, path }: ItemProps) {
  const [isNear, setNear] = useState(false)
  const approach = () => setNear(true)
  return (
    <Link
      href={href}
      prefetch={isNear ? null : false}
      onPointerEnter={approach}
      onTouchStart={approach}
      onFocus={approach}
      aria-current={isIn(path, href) ? 'page' : undefined}
      className={cn(linkClass, isIn(path, href) && currentClass)}
    >
      <span className={cn(isIn(path, href) && 'text-accent')}>{icon}</span>
      {label}
    </Link>
  )
}

type Props = { viewer: Viewer; icons: Record<NavigationHref, ReactNode>; logo: ReactNode }

/** The navigation: a column at the left; on a phone a bar at the bottom with a "More" button. */
export function Navigation({ viewer, icons, logo }: Props) {
  const path = usePathname()
  const [openAt, setOpenAt] = useState<string | null>(null)
  // Open only on the page where it was opened: navigating closes it.
  const isOpen = openAt === path
  useEffect(() => {
    if (!isOpen) return
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && setOpenAt(null)
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOpen])
  const items = navigationItems(viewer)
  const rest = items.slice(IN_BAR)
  return (
    <nav
      aria-label="Pages"
      className="flex max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-30 max-md:border-t max-md:bg-raised max-md:pb-[env(safe-area-inset-bottom)] md:flex-col md:gap-0.5"
    >
      {logo}
      {items.slice(0, IN_BAR).map((item) => (
        <ItemLink key={item.href} item={item} icon={icons[item.href]} path={path} />
      ))}
      <div
        id="more-pages"
        className={cn(
          'contents max-md:absolute max-md:inset-x-0 max-md:bottom-full max-md:grid max-md:grid-cols-3 max-md:border-t max-md:bg-raised max-md:shadow-[0_-8px_24px_oklch(0_0_0/0.14)]',
          !isOpen && 'max-md:hidden',
        )}
      >
        {rest.map((item) => (
          <ItemLink key={item.href} item={item} icon={icons[item.href]} path={path} />
        ))}
      </div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls="more-pages"
        onClick={() => setOpenAt(isOpen ? null : path)}
        className={cn(linkClass, 'md:hidden', rest.some(({ href }) => isIn(path, href)) && currentClass)}
      >
        <Ellipsis className="size-4 shrink-0" aria-hidden />
        More
      </button>
    </nav>
  )
}
