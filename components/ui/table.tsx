import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn'

/**
 * A table with a sticky header that scrolls sideways if necessary, with what is in it for screen
 * readers alone.
 */
export const DataTable = ({ label, children }: { label: string; children: ReactNode }) => (
  <section aria-label={label} className="rounded border bg-raised scroll-edges max-lg:relative max-lg:overflow-x-auto">
    <table className="w-full border-collapse text-table">{children}</table>
  </section>
)

export const Head = ({ children }: { children: ReactNode }) => (
  <thead className="text-left text-caption text-muted">
    <tr>{children}</tr>
  </thead>
)

type Side = { right?: boolean; wide?: boolean }

const place = ({ right, wide }: Side) => cn(right && 'text-right', wide && 'max-lg:hidden')

/** A column's name. `right`: amounts. `wide`: hidden on narrow screens. */
export const Th = ({ right, wide, className, ...rest }: ComponentProps<'th'> & Side) => (
  <th
    scope="col"
    className={cn(
      'z-10 bg-raised px-3 py-2 font-medium whitespace-nowrap shadow-[inset_0_-1px_var(--line)] first:rounded-tl last:rounded-tr lg:sticky lg:top-(--bar)',
      place({ right, wide }),
      className,
    )}
    {...rest}
  />
)

export const Td = ({ right, wide, className, ...rest }: ComponentProps<'td'> & Side) => (
  <td className={cn('px-3 py-2 align-middle', place({ right, wide }), className)} {...rest} />
)

/** A row that is clickable as a whole: its link or button has `data-row-go`. */
export const Row = ({ className, ...rest }: ComponentProps<'tr'>) => (
  <tr
    className={cn(
      'relative border-b last:border-b-0 hover:bg-sunken has-[[data-row-go]:focus-visible]:bg-accent-weak',
      className,
    )}
    {...rest}
  />
)

/** Makes a link or button cover its row. */
export const coversRow = 'after:absolute after:inset-0 after:content-[""]'

/** A last column that stays where a narrow table scrolls; the row below takes its clicks. */
export const STAYS_IN_SIGHT = 'pointer-events-none max-lg:sticky max-lg:right-0 max-lg:bg-raised'
