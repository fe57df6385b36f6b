'use client'

import { ArrowDown, ArrowUp } from 'lucide-react'
import Link from 'next/link'
import { usePathname, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { cn } from './cn'
import { listUrl } from './list-url'
import { nextSort, type SortOrder, sortOfUrl } from './sort-order'
import { Th } from './table'

type Props = {
  /** The value of `?sort=`. */
  column: string
  children: ReactNode
  /** The order of the first click: highest first, or A to Z. */
  first?: SortOrder
  /** The list's order where the URL names none, if it is by this column. */
  initial?: SortOrder
  /** The list knows only the order of the first click. */
  isOneWay?: boolean
  right?: boolean
  wide?: boolean
}

/** A column's name that sorts the list by it: `?sort=<column>&order=asc|desc`. */
export function SortLink({ column, children, first = 'desc', initial, isOneWay, right, wide }: Props) {
  const params = useSearchParams()
  const path = usePathname()
  const now = sortOfUrl(params, initial ? { column, order: initial } : null)
  const next = isOneWay ? { column, order: first } : nextSort(now, column, first)
  const order = now?.column === column ? now.order : null
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown
  return (
    <Th right={right} wide={wide} aria-sort={order ? `${order}ending` : undefined}>
      <Link
        href={listUrl(path, params, { sort: next.column, order: next.order })}
        replace
        scroll={false}
        prefetch={false}
        className={cn('group inline-flex items-center gap-1 hover:text-text', order && 'text-text')}
      >
        {children}
        <Arrow
          className={cn('size-3', !order && 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60')}
          aria-hidden
        />
      </Link>
    </Th>
  )
}
