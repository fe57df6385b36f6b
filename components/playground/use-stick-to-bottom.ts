import { useEffect, useLayoutEffect, useRef } from 'react'
import type { ChatTurn } from './turn'

/** How far from the end still counts as the end, CSS pixels. */
const TOLERANCE_PX = 120

/**
 * Scrolls with a growing conversation, unless the reader has scrolled up; a new turn scrolls again.
 */
export function useStickToBottom(turns: readonly ChatTurn[]): void {
  const follows = useRef(true)
  const last = turns.at(-1)?.id
  useEffect(() => {
    const onScroll = () => {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement
      follows.current = scrollHeight - clientHeight - scrollTop < TOLERANCE_PX
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => window.removeEventListener('scroll', onScroll)
  }, [])
  useLayoutEffect(() => {
    if (last !== undefined) follows.current = true
  }, [last])
  useLayoutEffect(() => {
    if (turns.length > 0 && follows.current) window.scrollTo({ top: document.documentElement.scrollHeight })
  }, [turns])
}
