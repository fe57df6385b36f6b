'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useTRPC, useTRPCClient } from '../trpc'
import type { Conversation, JobStep } from './shape'
import { mergeSteps, openStepsCursor } from './step-line'

const LIVE_MS = 1_000
const IDLE_MS = 10_000
const PAGE = 500

/**
 * A conversation and its steps, read every second while it runs, and only as far as they may have
 * changed.
 */
export function useJob(first: Conversation, firstSteps: JobStep[]) {
  const { jobId } = first.job
  const client = useTRPCClient()
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [steps, setSteps] = useState(firstSteps)
  const [isBehind, setBehind] = useState(false)
  const { data, refetch, isError } = useQuery({
    ...trpc.jobs.get.queryOptions({ jobId }),
    initialData: first,
    refetchInterval: ({ state }) => (state.data?.job.status === 'running' ? LIVE_MS : IDLE_MS),
  })
  const { status, runId, creditsSpent } = data.job
  const load = useCallback(async () => {
    for (let known = steps; ; ) {
      const page = await client.jobs.steps.query({ jobId, cursor: openStepsCursor(known), limit: PAGE })
      const next = mergeSteps(known, page.steps)
      if (next !== known) setSteps((now) => mergeSteps(now, page.steps))
      if (page.nextCursor === null || next === known) return
      known = next
    }
  }, [client, jobId, steps])
  // Steps may be new whenever the job was read, even without a change of status or spend.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each read; `load` changes with its result
  useEffect(() => {
    load().then(
      () => setBehind(false),
      () => setBehind(true),
    )
  }, [data, status, runId, creditsSpent])
  // The balance in the bar follows what the run spends and, at its end, what it no longer holds.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the run's spend and status are why, not what is read
  useEffect(() => {
    void queries.invalidateQueries(trpc.overview.balance.queryFilter())
  }, [queries, trpc, creditsSpent, status])
  return { ...data, steps, refresh: () => void refetch(), isLost: isError || isBehind }
}
