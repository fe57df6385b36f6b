'use client'

import { type ReactNode, Suspense, useState, useSyncExternalStore } from 'react'

const neverChanges = () => () => {}

/**
 * A skeleton while a page is opened from another one. A page that is loaded itself comes whole: a
 * skeleton would be shown and replaced within the time that the server needs anyway.
 */
export function SkeletonLater({ skeleton, children }: { skeleton: ReactNode; children: ReactNode }) {
  const isLoaded = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
  // Kept: to add a boundary to a page that is shown would make it anew.
  const [isOpened] = useState(isLoaded)
  return isOpened ? <Suspense fallback={skeleton}>{children}</Suspense> : children
}
