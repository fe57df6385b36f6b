'use client'

import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'

/** How far below or above the window something is when it is loaded, as a CSS length. */
const MARGIN = '600px'

/** Set by the script in the page's head at a key that was pressed before this code was there. */
const WANTED = 'wanted'

/**
 * Draws what is inside once it is near the window, or as soon as somebody presses a key or prints:
 * so that it can be found and reached. Until then its `height`, in pixels, is kept free.
 */
export function WhenSeen({ height, children }: { height: number; children: ReactNode }) {
  const [isNear, setNear] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isNear || !place.current) return
    const show = () => setNear(true)
    if (WANTED in place.current.dataset) return show()
    const observer = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && show(), {
      rootMargin: MARGIN,
    })
    observer.observe(place.current)
    const shown = new AbortController()
    for (const event of ['keydown', 'beforeprint']) addEventListener(event, show, { signal: shown.signal })
    return () => {
      observer.disconnect()
      shown.abort()
    }
  }, [isNear])
  const free = <div ref={place} style={{ minHeight: height }} data-unseen="" data-testid="not-yet-seen" />
  return isNear ? <Suspense fallback={free}>{children}</Suspense> : free
}
