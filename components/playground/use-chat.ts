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
const BROKEN = 'The connection broke before the answer was complete.'
const TOO_LARGE = 'With its pictures this conversation is larger than the 20 MiB a request may have. Begin a new one.'

/** A turn after one more piece of its answer. */
function withPiece(turn: ChatTurn, piece: ChatStreamPart): ChatTurn {
  switch (piece.kind) {
    case 'begun':
      return { ...turn, requestId: piece.requestId }
    case 'text':
      return { ...turn, state: 'answering', text: turn.text + piece.text }
    case 'reasoning':
      return { ...turn, state: 'answering', reasoning: turn.reasoning + piece.text }
    case 'ending':
      return { ...turn, ending: piece.reason }
    case 'cost': {
      const { kind: _kind, ...cost } = piece
      return { ...turn, cost }
    }
    case 'failed':
      return { ...turn, state: 'failed', error: piece.message, cost: { charged: piece.charged } }
    case 'refused':
      return { ...turn, state: 'failed', error: piece.message, cost: { charged: 0 } }
    case 'broken':
      return { ...turn, state: 'failed', error: BROKEN }
    default:
      return piece satisfies never
  }
}

/** The next turn's place: what was refused before it cost anything makes way. */
const standing = (turns: readonly ChatTurn[]) =>
  turns.filter((t) => t.state !== 'failed' || t.text !== '' || t.cost?.charged !== 0)

/**
 * The turns of this page's chat, and what moves them. `send` answers whether the turn was of any use: false when its
 * draft should be kept for another try. What ended early is priced by its receipt.
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
    const begun = performance.now()
    let turn = newChatTurn(nextId.current++, settings.model, draft)
    const show = (next: ChatTurn) => {
      turn = next
      setTurns((all) => all.map((t) => (t.id === next.id ? next : t)))
    }
    setTurns((all) => [...standing(all), turn])
    try {
      const body = JSON.stringify(buildPlaygroundRequest(settings, turns, draft))
      if (new Blob([body]).size > MAX_PLAYGROUND_BODY_BYTES)
        show(withPiece(turn, { kind: 'refused', message: TOO_LARGE }))
      else for await (const piece of asked(body, abort.signal)) show(withPiece(turn, piece))
    } catch {
      if (abort.signal.aborted) show({ ...turn, state: 'stopped' })
      else show({ ...turn, state: 'failed', error: turn.requestId ? BROKEN : UNREACHABLE })
    }
    const ended: ChatTurn = { ...turn, state: isAnswering(turn) ? 'done' : turn.state, ms: performance.now() - begun }
    show(ended)
    running.current = null
    void priced(ended).then(show)
    return isInHistory(ended)
  }

  /** A turn with what it came to; asks for the receipt where the stream could not tell. */
  async function priced(turn: ChatTurn): Promise<ChatTurn> {
    const isTold = turn.cost !== null && (turn.state === 'done' || turn.cost.charged === 0)
    const cost = isTold ? null : await costOf(turn)
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

/** Looks up what a turn that ended early was charged: its receipt is there within a second or two. */
function useReceipts() {
  const client = useTRPCClient()
  return async ({ requestId, model }: ChatTurn): Promise<ChatTurnCost | null> => {
    for (let tries = 0; requestId && tries < 12; tries++) {
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
