'use client'

import { type KeyboardEvent, type PointerEvent, useState } from 'react'

/** Where a key moves to among `count` points; null: elsewhere. */
function moved(key: string, at: number | null, count: number): number | null {
  const last = count - 1
  if (key === 'ArrowRight' || key === 'ArrowUp') return at === null ? 0 : Math.min(at + 1, last)
  if (key === 'ArrowLeft' || key === 'ArrowDown') return at === null ? last : Math.max(at - 1, 0)
  if (key === 'Home') return 0
  return key === 'End' ? last : null
}

/**
 * The point of a chart that is looked at: under the pointer, touched, or reached with the arrow
 * keys. `plot` are the properties of the element that has `count` equal steps from left to right.
 */
export function useChartPoint(count: number, { label, describe }: { label: string; describe: (at: number) => string }) {
  const [at, setAt] = useState<number | null>(null)
  const shown = at === null || count === 0 ? null : Math.min(at, count - 1)
  const follow = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    setAt(Math.max(0, Math.min(count - 1, Math.floor(((clientX - left) / width) * count))))
  }
  const plot = {
    role: 'slider',
    tabIndex: 0,
    'aria-label': label,
    'aria-orientation': 'horizontal' as const,
    'aria-valuemin': 0,
    'aria-valuemax': Math.max(count - 1, 0),
    'aria-valuenow': shown ?? 0,
    'aria-valuetext': shown === null ? 'Arrow keys read the values' : describe(shown),
    onPointerMove: follow,
    onPointerDown: follow,
    onPointerLeave: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && setAt(null),
    onBlur: () => setAt(null),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape') return setAt(null)
      const next = moved(event.key, shown, count)
      if (next === null) return
      event.preventDefault()
      setAt(next)
    },
  }
  return { at: shown, plot }
}
