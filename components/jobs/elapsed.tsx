'use client'

import { useEffect, useState } from 'react'
import { formatDuration } from '../ui/format-time'

/** Whole seconds since a start, ticking. */
export function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState<number | null>(null)
  useEffect(() => {
    const tick = () => setNow(Date.now())
    tick()
    const timer = setInterval(tick, 1_000)
    return () => clearInterval(timer)
  }, [])
  if (now === null) return null
  const seconds = Math.max(0, Math.floor((now - new Date(since).getTime()) / 1_000))
  return (
    <span className="num text-caption text-muted">
      {seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1_000)}
    </span>
  )
}
