'use client'

import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export type Tab = { id: string; label: string; body: ReactNode }

/** One of several views, by name. Arrow keys move between them. */
export function Tabs({ tabs, label }: { tabs: Tab[]; label: string }) {
  return (
    <Radix.Root defaultValue={tabs[0]?.id}>
      <Radix.List aria-label={label} className="mb-3 flex gap-4 overflow-x-auto border-b">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.id}
            value={tab.id}
            className="-mb-px border-b-2 border-transparent px-0.5 pb-2 text-table font-medium whitespace-nowrap text-muted hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.id} value={tab.id}>
          {tab.body}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
