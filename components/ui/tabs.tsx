'use client'

import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { cn } from './cn'

export type Tab = { id: string; label: string; body: ReactNode }

/** The tab a key moves to; undefined for other keys. */
function target(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (at + 1) % count
  if (key === 'ArrowLeft') return (at + count - 1) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

/** Tabs. Arrow keys move between them. */
export function Tabs({ tabs, label }: { tabs: Tab[]; label: string }) {
  const [shown, setShown] = useState(tabs[0]?.id)
  const id = useId()
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = tabs.findIndex((tab) => tab.id === shown)
    const next = tabs[target(event.key, at, tabs.length) ?? -1]
    if (!next) return
    event.preventDefault()
    setShown(next.id)
    document.getElementById(`${id}-${next.id}`)?.focus()
  }
  return (
    <div>
      <div role="tablist" aria-label={label} onKeyDown={onKeyDown} className="mb-3 flex gap-4 overflow-x-auto border-b">
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === shown}
            aria-controls={tab.id === shown ? `${id}-view` : undefined}
            tabIndex={tab.id === shown ? 0 : -1}
            onClick={() => setShown(tab.id)}
            className={cn(
              '-mb-px border-b-2 border-transparent px-0.5 pb-2 text-table font-medium whitespace-nowrap text-muted hover:text-text',
              tab.id === shown && 'border-accent text-text',
            )}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-view`} aria-labelledby={`${id}-${shown}`}>
        {tabs.find((tab) => tab.id === shown)?.body}
      </div>
    </div>
  )
}
