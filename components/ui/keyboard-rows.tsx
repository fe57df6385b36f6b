'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { hasModifier, isTyping } from './is-typing'

/** Rows can be moved through with j and k; Enter opens the focused one. Ignored in forms. */
export function KeyboardRows({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.key !== 'j' && event.key !== 'k') || hasModifier(event) || isTyping(event.target)) return
      const rows = [...(box.current?.querySelectorAll<HTMLElement>('[data-row-go]') ?? [])]
      const now = rows.indexOf(document.activeElement as HTMLElement)
      const next = event.key === 'j' ? Math.min(now + 1, rows.length - 1) : Math.max(now - 1, 0)
      rows[next]?.focus({ focusVisible: true } as FocusOptions)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return <div ref={box}>{children}</div>
}
