'use client'

import Link from 'next/link'
import { usePathname, useSearchParams } from 'next/navigation'
import { cn } from './cn'
import { listUrl } from './list-url'

type Props<Id> = {
  label: string
  choices: readonly (readonly [id: Id, label: string])[]
  /** The choice that is shown; undefined: none of them. */
  now: Id | undefined
  /** What a choice sets in the URL; null removes a parameter. */
  set: (id: Id) => Record<string, string | null>
  className?: string
}

/** Choices of which one is shown, each a link to the list with it. */
export function ChoiceLinks<Id extends string | null>({ label, choices, now, set, className }: Props<Id>) {
  const path = usePathname()
  const params = useSearchParams()
  return (
    <nav aria-label={label} className={cn('flex flex-wrap rounded border bg-raised p-0.5 text-table', className)}>
      {choices.map(([id, text]) => (
        <Link
          key={text}
          href={listUrl(path, new URLSearchParams(params), set(id))}
          scroll={false}
          prefetch={false}
          aria-current={id === now ? 'true' : undefined}
          className={cn(
            'rounded-[4px] px-2 leading-7',
            id === now ? 'bg-accent-weak font-medium text-accent' : 'text-muted hover:text-text',
          )}
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}
