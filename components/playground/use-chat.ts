import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTRPC, useTRPCClient } from '../trpc'
import { DISCONNECTED, isRefusedAnswer, lastRound, UNREACHABLE, withStoppedCalls } from './answer'
import { buildPlaygroundRequest, type OfferedChatTool } from './request'
import {
  type ChatAnswer,
  type ChatDraft,
  type ChatRound,
  type ChatSettings,
  type ChatTurn,
  type ChatTurnCost,
  isInHistory,
  isTurnAnswering,
  newChatTurn,
  sumToolCharges,
} from './turn'

/** Stands for each answer that is on its way. */
const nameOf = (turnId: number, at: number) => `${turnId} ${at}`

const withoutRefused = (turns: readonly ChatTurn[]) => turns.filter(({ answers }) => !answers.every(isRefusedAnswer))

/**
 * The turns of a conversation. `send` asks every model at once and returns false when none of them
 * answered, so that the draft should be kept. `decide` says whether a call of a tool may run.
 */
export function useChat() {
  const [turns, setTurns] = useState<readonly ChatTurn[]>([])
  const latest = useRef(turns)
  /** Which conversation is shown, counted. */
  const shown = useRef(0)
  const running = useRef(new Map<string, AbortController>())
  const decisions = useRef(new Map<string, (isYes: boolean) => void>())
  const client = useTRPCClient()
  const costOf = useReceipts()
  const queries = useQueryClient()
  const trpc = useTRPC()

  const keep = useCallback((next: readonly ChatTurn[]) => {
    latest.current = next
    setTurns(next)
  }, [])
  const stop = useCallback(() => {
    for (const abort of running.current.values()) abort.abort()
  }, [])
  useEffect(() => stop, [stop])

  /** Shows an answer, unless another conversation is shown by now. */
  const show = (shownIn: number, turnId: number, at: number, answer: ChatAnswer) => {
    if (shownIn !== shown.current) return
    const withAnswer = (turn: ChatTurn) => ({
      ...turn,
      answers: turn.answers.map((one, i) => (i === at ? answer : one)),
    })
    keep(latest.current.map((turn) => (turn.id === turnId ? withAnswer(turn) : turn)))
  }

  async function runAnswer(turn: ChatTurn, at: number, asked: Asked): Promise<ChatAnswer> {
    const { settings, draft, before, tools } = asked
    let answer = turn.answers[at] as ChatAnswer
    const shownIn = shown.current
    const abort = new AbortController()
    running.current.set(nameOf(turn.id, at), abort)
    const startedAt = performance.now()
    const update = (next: ChatAnswer) => {
      const isFirst = answer.firstMs === null && next.state === 'streaming'
      answer = isFirst ? { ...next, firstMs: performance.now() - startedAt } : next
      show(shownIn, turn.id, at, answer)
    }
    try {
      const { answerMessage } = await import('./answer-message')
      await answerMessage(buildPlaygroundRequest(settings, answer.model, { turns: before, draft, tools }), {
        client,
        signal: abort.signal,
        read: () => answer,
        update,
        unasked: () => Number(settings.toolLimit || 0) - sumToolCharges(latest.current),
        ask: (callId) => decisionOf(callId, abort.signal),
      })
    } catch {
      const isBegun = lastRound(answer).requestId !== null
      if (abort.signal.aborted) update(withStoppedCalls({ ...answer, state: 'stopped' }))
      else update({ ...withStoppedCalls(answer), state: 'failed', error: isBegun ? DISCONNECTED : UNREACHABLE })
    }
    update({ ...answer, state: answer.state === 'failed' || answer.state === 'stopped' ? answer.state : 'done' })
    update({ ...answer, ms: performance.now() - startedAt })
    running.current.delete(nameOf(turn.id, at))
    void withCosts(answer).then((priced) => show(shownIn, turn.id, at, priced))
    return answer
  }

  /** The owner's decision about a call; rejects when its answer is stopped. */
  const decisionOf = (callId: string, signal: AbortSignal) =>
    new Promise<boolean>((resolve, reject) => {
      decisions.current.set(callId, resolve)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })

  /** An answer with its charges, from their receipts where a stream did not report them. */
  async function withCosts(answer: ChatAnswer): Promise<ChatAnswer> {
    const rounds = await Promise.all(
      answer.rounds.map(async (round) => {
        const isKnown = round.cost !== null && (answer.state === 'done' || round.cost.charged === 0)
        return isKnown ? round : { ...round, cost: (await costOf(round, answer.model)) ?? round.cost }
      }),
    )
    void queries.invalidateQueries(trpc.overview.balance.queryFilter())
    return { ...answer, rounds }
  }

  const send = async (settings: ChatSettings, draft: ChatDraft, tools: readonly OfferedChatTool[]) => {
    const before = withoutRefused(latest.current)
    const turn = newChatTurn(Math.max(0, ...latest.current.map(({ id }) => id)) + 1, settings.models, draft)
    keep([...before, turn])
    const answers = await Promise.all(
      turn.answers.map((_, at) => runAnswer(turn, at, { settings, draft, before, tools })),
    )
    return answers.some(isInHistory)
  }

  return {
    turns,
    isBusy: turns.some(isTurnAnswering),
    send,
    stop,
    stopAnswer: (turnId: number, at: number) => running.current.get(nameOf(turnId, at))?.abort(),
    decide: (callId: string, isYes: boolean) => {
      decisions.current.get(callId)?.(isYes)
      decisions.current.delete(callId)
    },
    /** Shows the turns of another conversation. */
    load: useCallback(
      (next: readonly ChatTurn[]) => {
        stop()
        shown.current += 1
        keep(next)
      },
      [keep, stop],
    ),
  }
}

type Asked = {
  settings: ChatSettings
  draft: ChatDraft
  before: readonly ChatTurn[]
  tools: readonly OfferedChatTool[]
}

/** Looks up the charge of a request that ended early: its receipt exists within a second or two. */
function useReceipts() {
  const client = useTRPCClient()
  return async ({ requestId }: ChatRound, model: string): Promise<ChatTurnCost | null> => {
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
