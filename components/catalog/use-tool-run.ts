import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTRPC, useTRPCClient } from '../trpc'
import { type LaterReceipt, laterReceipt } from './later-receipt'
import { checkParamsSize, formatCharge, type ToolRunFailure, toToolRunFailure } from './run-failure'
import type { ToolParams, ToolRunResult } from './shape'

/**
 * The latest run. `stopped`: `charged` is null while the provider goes on, or when it is unknown.
 */
export type ToolRunState =
  | { state: 'idle' }
  | { state: 'running' }
  | { state: 'done'; run: ToolRunResult; ms: number }
  | { state: 'failed'; failure: ToolRunFailure; ms: number }
  | { state: 'stopped'; charged: number | null; requestId: string | null; isLooking: boolean }

/** What a screen reader announces; failures are alerts already. */
export function describeRunState(run: ToolRunState): string {
  if (run.state === 'running') return 'Running'
  return run.state === 'done' ? `Done. ${formatCharge(run.run.charged)}` : ''
}

/**
 * Runs one tool at a time, paid by the owner. `stop` abandons the call: a provider that has
 * accepted the request goes on and is paid, so the charge is read from the receipt when there is
 * one. Leaving the page stops too.
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
    const startedAt = performance.now()
    const elapsedMs = () => performance.now() - startedAt
    const receipt = receiptAfter()
    try {
      const done = await client.tools.run.mutate({ tool, params }, { signal: abort.signal })
      setRun({ state: 'done', run: done, ms: elapsedMs() })
      return null
    } catch (error) {
      if (abort.signal.aborted) {
        setRun({ state: 'stopped', charged: null, requestId: null, isLooking: true })
        const found = await receipt()
        setRun({ state: 'stopped', isLooking: false, charged: null, requestId: null, ...found })
        return null
      }
      const failure = toToolRunFailure(error, names)
      setRun({ state: 'failed', failure, ms: elapsedMs() })
      return failure
    } finally {
      running.current = null
      void queries.invalidateQueries(trpc.overview.balance.queryFilter())
    }
  }

  return { run, start, stop: () => running.current?.abort() }
}

/**
 * Finds the receipt of an abandoned run. After one was not found in time it may still arrive, and a
 * later one could not be distinguished from it, so the search is off from then on.
 */
function useReceipts(tool: string) {
  const client = useTRPCClient()
  const isAmbiguous = useRef(false)
  return () => {
    const find = laterReceipt(client, tool)
    return async (): Promise<LaterReceipt | null> => {
      const found = isAmbiguous.current ? null : await find()
      isAmbiguous.current ||= found === null
      return found
    }
  }
}
