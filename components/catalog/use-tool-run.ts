import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTRPC, useTRPCClient } from '../trpc'
import { checkParamsSize, formatCharge, type ToolRunFailure, toToolRunFailure } from './run-failure'
import type { ToolParams, ToolRunResult } from './shape'

/** What was asked last. `stopped`: `charged` is null as long as the provider goes on, or nobody knows. */
export type ToolRunState =
  | { state: 'idle' }
  | { state: 'running' }
  | { state: 'done'; run: ToolRunResult; ms: number }
  | { state: 'failed'; failure: ToolRunFailure; ms: number }
  | { state: 'stopped'; charged: number | null; requestId: string | null; isLooking: boolean }

/** What is read out when it changes; failures speak for themselves. */
export function describeRunState(run: ToolRunState): string {
  if (run.state === 'running') return 'Running'
  return run.state === 'done' ? `Done. ${formatCharge(run.run.charged)}` : ''
}

/**
 * Runs one tool at a time, paid by the owner. `stop` leaves the call: a provider that has taken the request goes on and
 * is paid, so what was charged is read from the receipt as soon as there is one. Leaving the page stops too.
 */
export function useToolRun(tool: string, names: readonly string[]) {
  const [run, setRun] = useState<ToolRunState>({ state: 'idle' })
  const running = useRef<AbortController | null>(null)
  const client = useTRPCClient()
  const queries = useQueryClient()
  const trpc = useTRPC()
  const receiptAfter = useReceipts(tool)

  useEffect(() => () => running.current?.abort(), [])

  const start = async (params: ToolParams): Promise<ToolRunFailure | null> => {
    if (running.current) return null
    const refusal = checkParamsSize(params)
    if (refusal) {
      setRun({ state: 'failed', failure: refusal, ms: 0 })
      return refusal
    }
    const abort = new AbortController()
    running.current = abort
    setRun({ state: 'running' })
    const begun = performance.now()
    const tookMs = () => performance.now() - begun
    const receipt = receiptAfter()
    try {
      const done = await client.tools.run.mutate({ tool, params }, { signal: abort.signal })
      setRun({ state: 'done', run: done, ms: tookMs() })
      return null
    } catch (error) {
      if (abort.signal.aborted) {
        setRun({ state: 'stopped', charged: null, requestId: null, isLooking: true })
        const found = await receipt()
        setRun({ state: 'stopped', isLooking: false, charged: null, requestId: null, ...found })
        return null
      }
      const failure = toToolRunFailure(error, names)
      setRun({ state: 'failed', failure, ms: tookMs() })
      return failure
    } finally {
      running.current = null
      void queries.invalidateQueries(trpc.overview.balance.queryFilter())
    }
  }

  return { run, start, stop: () => running.current?.abort() }
}

/**
 * Finds the receipt of a run whose answer nobody heard: asked before it, then called after it. Once one was not found
 * in time it may come at any moment, and no later one could be told from it.
 */
function useReceipts(tool: string) {
  const client = useTRPCClient()
  const isBlurred = useRef(false)
  const newest = async () => {
    const { rows } = await client.usage.list.query({ what: tool, limit: 20 })
    return rows.filter(({ door }) => door === 'playground').sort((a, b) => (a.requestId < b.requestId ? 1 : -1))[0]
  }
  return () => {
    const before = newest().then(
      (receipt) => receipt?.requestId ?? '',
      () => null,
    )
    return async (): Promise<{ charged: number; requestId: string } | null> => {
      const last = await before
      for (let tries = 0; last !== null && !isBlurred.current && tries < 12; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 250))
        const receipt = await newest().catch(() => undefined)
        if (receipt && receipt.requestId > last)
          return { charged: receipt.credits.charged, requestId: receipt.requestId }
      }
      isBlurred.current = true
      return null
    }
  }
}
