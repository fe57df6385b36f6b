import type { TRPCClient } from '@trpc/client'
import type { AppRouter } from '@/server/api/router'
import { laterReceipt } from '../catalog/later-receipt'
import { needsCredits } from '../ui/credits-link'
import type { ChatToolCall } from './turn'

/** Longest result that a model is shown, characters. */
const MAX_RESULT_CHARS = 24_000

export type ToolCallRunner = {
  client: Pick<TRPCClient<AppRouter>, 'tools' | 'usage'>
  /** Credits that may still be spent unasked. */
  unasked: () => number
  /** Asks the owner; false: declined. Rejects when the answer is stopped. */
  ask: (callId: string) => Promise<boolean>
  /** Shows what has changed of a call. */
  change: (callId: string, change: Partial<ChatToolCall>) => void
  signal: AbortSignal
}

const errorResult = (message: string): string => JSON.stringify({ error: message })

function shortenedResult(result: unknown): string {
  const text = JSON.stringify(result)
  if (text.length <= MAX_RESULT_CHARS) return text
  return `${text.slice(0, MAX_RESULT_CHARS)}… (${text.length - MAX_RESULT_CHARS} more characters are left out)`
}

/** Between two runs: each goes in a request of its own, which makes at most one billed call. */
const APART_MS = 20
let lastBegun: Promise<void> = Promise.resolve()

/** Resolves when a run may begin: runs of models side by side begin one after the other. */
function turnToBegin(): Promise<void> {
  lastBegun = lastBegun.then(() => new Promise((resolve) => setTimeout(resolve, APART_MS)))
  return lastBegun
}

function parseInput(input: string): unknown {
  try {
    return JSON.parse(input || '{}')
  } catch {
    return undefined
  }
}

/** What a failed run cost, and its receipt; null: unknown. */
function chargeOf(error: unknown): Pick<ChatToolCall, 'charged' | 'requestId' | 'isShort'> {
  const { data } = Object(error) as { data?: { charge?: { credits: number }; requestId?: string; httpStatus?: number } }
  if (!data) return { charged: null, requestId: null }
  if (data.charge) return { charged: data.charge.credits, requestId: data.requestId ?? null }
  const charged = (data.httpStatus ?? 500) < 500 ? 0 : null
  return { charged, requestId: null, ...(needsCredits(error) && { isShort: true }) }
}

/**
 * Runs one call that a model asked for, paid by the owner: says its price, asks where it is beyond
 * what may be spent unasked, and keeps what came of it. Throws only when it was stopped; then its
 * charge is read from its receipt, if that comes soon.
 */
export async function runToolCall(call: ChatToolCall, to: ToolCallRunner): Promise<void> {
  const { client, change, signal } = to
  const params = parseInput(call.input)
  if (params === undefined) {
    change(call.id, { state: 'failed', charged: 0, result: errorResult('The arguments are not JSON.') })
    return
  }
  const asked = { tool: call.name, params }
  // Without a price the call is refused, which costs nothing and gives the model the reason.
  const price = await client.tools.estimate.mutate(asked, { signal }).catch(() => null)
  signal.throwIfAborted()
  const max = price?.most ?? null
  if (price && (max === null || max > to.unasked() || price.mustConfirm)) {
    change(call.id, { state: 'asked', most: max })
    if (!(await to.ask(call.id))) {
      change(call.id, { state: 'declined', charged: 0, result: errorResult('The user declined this call.') })
      return
    }
  }
  const receipt = laterReceipt(client, call.name)
  change(call.id, { state: 'running', most: max })
  await turnToBegin()
  try {
    const { charged, requestId, result } = await client.tools.run.mutate(asked, { signal })
    change(call.id, { state: 'done', charged, requestId, result: shortenedResult(result) })
  } catch (error) {
    if (signal.aborted) {
      change(call.id, { state: 'stopped' })
      change(call.id, (await receipt()) ?? {})
    }
    signal.throwIfAborted()
    const message = error instanceof Error ? error.message : 'The call failed.'
    change(call.id, { state: 'failed', result: errorResult(message), ...chargeOf(error) })
  }
}
