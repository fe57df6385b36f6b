import { useEffect, useRef, useState } from 'react'
import type { PriceInfo } from './shape'

type Asked = { price: PriceInfo; act: () => void }

/**
 * Asks before what may cost more than the owner wants to spend unasked. `guard` acts at once where
 * nothing is to be asked; `answer` is for the question's two buttons, after which the focus is
 * where it was.
 */
export function useSpendGuard() {
  const [asked, setAsked] = useState<Asked | null>(null)
  const from = useRef<Element | null>(null)
  const guard = (price: PriceInfo | null, act: () => void) => {
    if (!price?.mustConfirm) return act()
    from.current = document.activeElement
    setAsked({ price, act })
  }
  const answer = (isYes: boolean) => {
    setAsked(null)
    if (isYes) asked?.act()
  }
  // After the question has gone: the button below it can take the focus again.
  useEffect(() => {
    if (asked || !(from.current instanceof HTMLElement)) return
    from.current.focus()
    from.current = null
  }, [asked])
  /** Forgets the question, because what it was about has changed; the focus stays. */
  const dismiss = () => {
    from.current = null
    setAsked(null)
  }
  return { question: asked?.price ?? null, guard, answer, dismiss }
}
