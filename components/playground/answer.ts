import type { ChatStreamPart } from './stream'
import { answerText, type ChatAnswer, type ChatRound, type ChatToolCall, isAnswering, newChatRound } from './turn'

export const UNREACHABLE = 'The server cannot be reached.'
export const DISCONNECTED = 'The connection closed before the response was complete.'

/** An answer whose latest request has changed. */
export const withRound = (answer: ChatAnswer, change: Partial<ChatRound>): ChatAnswer => ({
  ...answer,
  rounds: answer.rounds.map((round, at) => (at === answer.rounds.length - 1 ? { ...round, ...change } : round)),
})

export const lastRound = ({ rounds }: ChatAnswer): ChatRound => rounds.at(-1) ?? newChatRound()

/** A part of a call, which arrives in pieces: its name first, its input bit by bit. */
function withCallPart(
  calls: readonly ChatToolCall[],
  { index, id, name, input }: Extract<ChatStreamPart, { kind: 'call' }>,
): ChatToolCall[] {
  const known = calls[index]
  const made: ChatToolCall = known ?? {
    id: '',
    name: '',
    input: '',
    state: 'priced',
    most: null,
    result: null,
    charged: null,
    requestId: null,
  }
  const next = { ...made, id: made.id || id, name: made.name || name, input: made.input + input }
  return known ? calls.map((call, at) => (at === index ? next : call)) : [...calls, next]
}

/** An answer after one more part of its stream. */
export function withPart(answer: ChatAnswer, part: ChatStreamPart): ChatAnswer {
  const round = lastRound(answer)
  const streaming: ChatAnswer = { ...answer, state: 'streaming' }
  switch (part.kind) {
    case 'started':
      return withRound(answer, { requestId: part.requestId })
    case 'text':
      return withRound(streaming, { text: round.text + part.text })
    case 'reasoning':
      return withRound(streaming, { reasoning: round.reasoning + part.text })
    case 'call':
      return withRound(streaming, { calls: withCallPart(round.calls, part) })
    case 'finish':
      return withRound(answer, { finishReason: part.reason })
    case 'cost': {
      const { kind: _kind, ...cost } = part
      return withRound(answer, { cost })
    }
    case 'failed':
    case 'refused': {
      const { message: error, isShort } = part
      const charged = part.kind === 'failed' ? part.charged : 0
      return withRound({ ...answer, state: 'failed', error, ...(isShort && { isShort }) }, { cost: { charged } })
    }
    case 'disconnected':
      return { ...answer, state: 'failed', error: DISCONNECTED }
    default:
      return part satisfies never
  }
}

/** An answer one of whose latest calls has changed. */
export const withCall = (answer: ChatAnswer, id: string, change: Partial<ChatToolCall>): ChatAnswer =>
  withRound(answer, {
    calls: lastRound(answer).calls.map((call) => (call.id === id ? { ...call, ...change } : call)),
  })

/** True when it failed and nothing of it was charged or arrived: the next message replaces it. */
export const isRefusedAnswer = (answer: ChatAnswer): boolean =>
  answer.state === 'failed' && answerText(answer) === '' && answer.rounds.every(({ cost }) => cost?.charged === 0)

const ON_ITS_WAY: readonly ChatToolCall['state'][] = ['priced', 'asked', 'running']

/** An answer none of whose calls will go on. */
export const withStoppedCalls = (answer: ChatAnswer): ChatAnswer =>
  withRound(answer, {
    calls: lastRound(answer).calls.map((call) =>
      ON_ITS_WAY.includes(call.state) ? { ...call, state: 'stopped' } : call,
    ),
  })

/** An answer as it is after a reload: what was on its way has stopped. */
export const restoredAnswer = (answer: ChatAnswer): ChatAnswer =>
  isAnswering(answer) ? withStoppedCalls({ ...answer, state: 'stopped', ms: answer.ms ?? 0 }) : answer
