import { useEffect, useRef, useState } from 'react'
import type { PriceInfo } from '../price/shape'
import { useSettled } from '../price/use-settled'

/** How long typing must pause before the price is asked for. */
const PAUSE_MS = 500

/** What says the price of a request, by the path that it goes to. */
const ESTIMATES: Record<string, { procedure: string; toInput: (body: Record<string, unknown>) => unknown }> = {
  '/api/v1/query': { procedure: 'tools.estimate', toInput: ({ tool, params }) => ({ tool, params: params ?? {} }) },
  '/api/v1/chat/completions': { procedure: 'playground.estimate', toInput: (body) => body },
}

/** The question about a body's price; null where it has no price of its own. */
export function priceQuestion(path: string, body: string): { url: string; input: string } | null {
  const estimate = ESTIMATES[path]
  if (!estimate) return null
  try {
    const parsed: unknown = JSON.parse(body)
    const input = JSON.stringify(estimate.toInput(Object(parsed) as Record<string, unknown>))
    return { url: `/api/trpc/${estimate.procedure}`, input }
  } catch {
    return null
  }
}

/** Asks as the owner who is signed in here; `none`: nobody is, so that asking again is no use. */
async function askPrice(url: string, input: string, signal: AbortSignal): Promise<PriceInfo | null | 'none'> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: input, signal })
  if (response.status === 401) return 'none'
  if (!response.ok) return null
  const answer = (await response.json()) as { result?: { data?: PriceInfo | null } }
  return answer.result?.data ?? null
}

/**
 * What the request that is being written costs, for those who are signed in; null: unknown. Asked
 * for once there is a key to send it with: a visitor without an account only reads.
 */
export function useTryPrice(path: string, body: string, hasKey: boolean): PriceInfo | null {
  const settled = useSettled(hasKey ? body : null, PAUSE_MS)
  const [price, setPrice] = useState<PriceInfo | null>(null)
  const isNobody = useRef(false)
  useEffect(() => {
    const question = settled === null || isNobody.current ? null : priceQuestion(path, settled)
    if (!question) return setPrice(null)
    const abort = new AbortController()
    askPrice(question.url, question.input, abort.signal).then(
      (answer) => {
        isNobody.current = answer === 'none'
        setPrice(answer === 'none' ? null : answer)
      },
      () => {},
    )
    return () => abort.abort()
  }, [path, settled])
  return price
}
