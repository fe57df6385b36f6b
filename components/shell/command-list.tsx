'use client'

import { useEffect } from 'react'
import { cn } from '../ui/cn'
import { Keys } from '../ui/kbd'
import type { CommandGroup, CommandItem } from './commands'

type Props = {
  id: string
  groups: readonly CommandGroup[]
  active: CommandItem | undefined
  busy: boolean
  onPoint: (item: CommandItem) => void
  onOpen: (item: CommandItem) => void
}

/** The id of an option, for the field that says which one is active. */
export const optionId = (list: string, { kind, href }: CommandItem): string => `${list}${kind}${href}`

/** The results of the search, by kind. The focus stays in the field, which handles the keys. */
export function CommandList({ id, groups, active, busy, onPoint, onOpen }: Props) {
  const activeId = active && optionId(id, active)
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Results"
      aria-busy={busy}
      className="max-h-[min(60vh,28rem)] overflow-y-auto overscroll-contain p-1"
    >
      {groups.map(({ title, items }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of a listbox is not a fieldset
        <div key={title} role="group" aria-label={title}>
          <p aria-hidden className="px-3 pt-2 pb-1 text-caption text-muted">
            {title}
          </p>
          {items.map((item) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the focus stays in the field, which handles the keys
            <div
              key={`${item.kind} ${item.href}`}
              id={optionId(id, item)}
              role="option"
              aria-selected={item === active}
              onMouseMove={() => item !== active && onPoint(item)}
              // Taking the focus would move it out of the field.
              onMouseDown={(e) => e.preventDefault()}
              onClick={() => onOpen(item)}
              className={cn(
                'flex min-h-9 cursor-pointer items-center gap-3 rounded-[4px] px-3 py-1',
                item === active && 'bg-accent-weak text-accent',
              )}
            >
              <span className="min-w-0 flex-1 truncate">{item.label}</span>
              {item.note && <span className="num max-w-[50%] truncate text-caption text-muted">{item.note}</span>}
              {item.keys && <Keys keys={item.keys} />}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
