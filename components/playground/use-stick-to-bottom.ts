import { useEffect, useLayoutEffect, useRef } from 'react'
import type { ChatTurn } from './turn'

/** How far from the end someone may be and still follow, CSS pixels. */
const NEAR = 120

/** Keeps the end of a growing conversation in sight, unless someone has scrolled up to read. A new turn is followed again. */
export function useStickToBottom(turns: readonly ChatTurn[]): void {
  const follows = useRef(true)
  const last = turns.at(-1)?.id
  useEffect(() => {
    const onScroll = () => {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement
      follows.current = scrollHeight - clientHeight - scrollTop < NEAR
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
