'use client'

import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from './button'
import { cn } from './cn'

type Props = {
  /** How many filters are set: said while they are folded. */
  active: number
  className?: string
  children: ReactNode
}

/** Filters of a list, behind a button on narrow screens, where they would fill the first one. */
export function FilterFold({ active, className, children }: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        className="w-full justify-between sm:hidden"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span>
          Filters
          {active > 0 && (
            <span className="num ml-2 rounded bg-accent-weak px-1.5 py-0.5 text-caption text-accent">
              {active} active
            </span>
          )}
        </span>
        <ChevronDown className={cn('size-4 text-muted', isOpen && 'rotate-180')} aria-hidden />
      </Button>
      <div id={id} className={cn('gap-2', isOpen ? 'grid' : 'hidden sm:grid', className)}>
        {children}
      </div>
    </>
  )
}
