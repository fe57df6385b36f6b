'use client'

import { useSyncExternalStore } from 'react'

/** How often times on a page are compared with the clock. */
const TICK_MS = 1_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = 0

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

/** The timer runs while something listens and the page is visible. */
function startOrStop(): void {
  const isNeeded = listeners.size > 0 && !document.hidden
  if (isNeeded && timer === undefined) {
    tick()
    timer = setInterval(tick, TICK_MS)
  }
  if (!isNeeded) {
    clearInterval(timer)
    timer = undefined
  }
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) document.addEventListener('visibilitychange', startOrStop)
  listeners.add(listener)
  startOrStop()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) document.removeEventListener('visibilitychange', startOrStop)
    startOrStop()
  }
}

/**
 * A text that follows the clock (ms). All texts of a page share one timer, and only those that
 * changed are drawn again.
 */
export function useTicking(textAt: (now: number) => string): string {
  return useSyncExternalStore(
    subscribe,
    () => textAt(timer === undefined ? Date.now() : now),
    // While hydrating the browser's text may differ from the server's: the first tick replaces it.
    () => (typeof window === 'undefined' ? textAt(Date.now()) : ''),
  )
}
