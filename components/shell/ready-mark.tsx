'use client'

import { useEffect } from 'react'

/**
 * Marks the document once its code is there and listens, for `early-events.ts`: that React has seen
 * an element is not enough, it may still wait for others.
 */
export function ReadyMark() {
  useEffect(() => {
    document.documentElement.dataset.ready = ''
  }, [])
  return null
}
