import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTRPC, useTRPCClient } from '../trpc'
import { buildPlaygroundRequest, MAX_PLAYGROUND_BODY_BYTES } from './request'
import { type ChatStreamPart, readChatStreamParts } from './stream'
import {
  type ChatDraft,
  type ChatSettings,
  type ChatTurn,
  type ChatTurnCost,
  isAnswering,
  isInHistory,
  newChatTurn,
} from './turn'

const UNREACHABLE = 'The server cannot be reached.'
const DISCONNECTED = 'The connection closed before the response was complete.'
const TOO_LARGE = 'With its images this conversation is larger than the 20 MiB a request may have. Start a new one.'

/** A turn after one more part of its response. */
function withPart(turn: ChatTurn, part: ChatStreamPart): ChatTurn {
  switch (part.kind) {
    case 'started':
      return { ...turn, requestId: part.requestId }
    case 'text':
      return { ...turn, state: 'streaming', text: turn.text + part.text }
    case 'reasoning':
      return { ...turn, state: 'streaming', reasoning: turn.reasoning + part.text }
    case 'finish':
      return { ...turn, finishReason: part.reason }
    case 'cost': {
      const { kind: _kind, ...cost } = part
      return { ...turn, cost }
    }
    case 'failed':
      return { ...turn, state: 'failed', error: part.message, cost: { charged: part.charged } }
    case 'refused':
      return { ...turn, state: 'failed', error: part.message, cost: { charged: 0 } }
    case 'disconnected':
      return { ...turn, state: 'failed', error: DISCONNECTED }
    default:
      return part satisfies never
  }
}

/** The turns without those that failed at no cost: the next one replaces them. */
const withoutRefused = (turns: readonly ChatTurn[]) =>
  turns.filter((t) => t.state !== 'failed' || t.text !== '' || t.cost?.charged !== 0)

/**
 * The turns of the page's chat. `send` returns false when the turn failed and its draft should be
 * kept. The charge of a response that ended early is read from its receipt.
 */
export function useChat() {
  const [turns, setTurns] = useState<readonly ChatTurn[]>([])
  const running = useRef<AbortController | null>(null)
  const nextId = useRef(1)
  const costOf = useReceipts()
  const queries = useQueryClient()
  const trpc = useTRPC()

  useEffect(() => () => running.current?.abort(), [])

  const send = async (settings: ChatSettings, draft: ChatDraft): Promise<boolean> => {
    const abort = new AbortController()
    running.current = abort
    const startedAt = performance.now()
    let turn = newChatTurn(nextId.current++, settings.model, draft)
    const show = (next: ChatTurn) => {
      turn = next
      setTurns((all) => all.map((t) => (t.id === next.id ? next : t)))
    }
    setTurns((all) => [...withoutRefused(all), turn])
    try {
      const body = JSON.stringify(buildPlaygroundRequest(settings, turns, draft))
      if (new Blob([body]).size > MAX_PLAYGROUND_BODY_BYTES)
        show(withPart(turn, { kind: 'refused', message: TOO_LARGE }))
      else for await (const part of asked(body, abort.signal)) show(withPart(turn, part))
    } catch {
      if (abort.signal.aborted) show({ ...turn, state: 'stopped' })
      else show({ ...turn, state: 'failed', error: turn.requestId ? DISCONNECTED : UNREACHABLE })
    }
    const ended: ChatTurn = {
      ...turn,
      state: isAnswering(turn) ? 'done' : turn.state,
      ms: performance.now() - startedAt,
    }
    show(ended)
    running.current = null
    void withCost(ended).then(show)
    return isInHistory(ended)
  }

  /** A turn with its charge, from its receipt where the stream did not report it. */
  async function withCost(turn: ChatTurn): Promise<ChatTurn> {
    const isKnown = turn.cost !== null && (turn.state === 'done' || turn.cost.charged === 0)
    const cost = isKnown ? null : await costOf(turn)
    void queries.invalidateQueries(trpc.overview.balance.queryFilter())
    return { ...turn, cost: cost ?? turn.cost }
  }

  return {
    turns,
    isBusy: turns.some(isAnswering),
    send,
    stop: useCallback(() => running.current?.abort(), []),
    clear: () => setTurns([]),
  }
}

async function* asked(body: string, signal: AbortSignal): AsyncGenerator<ChatStreamPart> {
  const headers = { 'content-type': 'application/json' }
  yield* readChatStreamParts(await fetch('/api/playground/chat', { method: 'POST', headers, body, signal }))
}

/** Looks up the charge of a turn that ended early: its receipt exists within a second or two. */
function useReceipts() {
  const client = useTRPCClient()
  return async ({ requestId, model }: ChatTurn): Promise<ChatTurnCost | null> => {
    for (let attempts = 0; requestId && attempts < 12; attempts++) {
      await new Promise((resolve) => setTimeout(resolve, 250))
      const page = await client.usage.list.query({ what: model, limit: 20 }).catch(() => null)
      const receipt = page?.rows.find((row) => row.requestId === requestId)
      if (!receipt) continue
      const { inputTokens, outputTokens, estimated } = receipt.detail
      return { charged: receipt.credits.charged, inputTokens, outputTokens, estimated }
    }
    return null
  }
}
