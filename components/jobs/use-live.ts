'use client'

import { useEffect, useRef, useState } from 'react'
import { useTRPCClient } from '../trpc'
import { mergeLive, positionOf, type ShownStep } from './live'
import type { LiveStep } from './shape'

const EVERY_MS = 500
/** After a failure; the page says by itself when the service cannot be reached. */
const RETRY_MS = 3_000

/**
 * The steps in progress of a job, read twice a second while it runs and the page is seen.
 * `onChange` is called when a step has begun or ended.
 */
export function useLive(
  { jobId, isRunning, first }: { jobId: string; isRunning: boolean; first: LiveStep[] },
  onChange: () => void,
): ShownStep[] {
  const client = useTRPCClient()
  const [steps, setSteps] = useState<ShownStep[]>(() => mergeLive([], first, Date.now()))
  const changed = useRef(onChange)
  useEffect(() => {
    changed.current = onChange
  })
  useEffect(() => {
    if (!isRunning) return
    let known: ShownStep[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = new AbortController()
    const read = async () => {
      let waitMs = EVERY_MS
      try {
        if (document.visibilityState === 'visible') {
          const found = await client.jobs.live.query({ jobId, have: positionOf(known) }, { signal: stop.signal })
          if (stop.signal.aborted) return
          const now = mergeLive(known, found, Date.now())
          const attempts = (of: ShownStep[]) => of.map(({ attemptId }) => attemptId).join()
          if (attempts(now) !== attempts(known)) changed.current()
          known = now
          setSteps(now)
        }
      } catch {
        waitMs = RETRY_MS
      }
      if (!stop.signal.aborted) timer = setTimeout(read, waitMs)
    }
    void read()
    return () => {
      stop.abort()
      clearTimeout(timer)
      setSteps([])
    }
  }, [client, jobId, isRunning])
  return steps
}
