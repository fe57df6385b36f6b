import { isRecord } from '../../kit/record'
import type { CompletionBody, ModelRequest } from '../completion'
import type { Model } from '../shape'
import { messagesUpstream } from '../wires/messages/upstream'
import { isTokenCount } from '../wires/token-count'
import { fittedBody } from './native-body'
import { keyOf, postJson } from './request'
import { startExchangeTimer } from './timer'

/** What the provider counts; it refuses other fields. */
const COUNTED = ['messages', 'system', 'tools', 'tool_choice', 'thinking', 'output_config'] as const

/** A count is asked for before a call is made, so it is given little time. */
const TIMES = { connectMs: 5_000, answerMs: 10_000 }

const MAX_BYTES = 64 * 1024

function countedOf(body: CompletionBody, model: string): CompletionBody {
  const counted = Object.fromEntries(COUNTED.flatMap((name) => (body[name] == null ? [] : [[name, body[name]]])))
  return { ...counted, model }
}

/**
 * Tokens of a prompt as the first upstream with the messages API counts them; null: no upstream has
 * it, or none could say. Throws the signal's reason when it aborts.
 */
export async function countAtUpstream(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<number | null> {
  const upstream = model.upstreams.find(({ api }) => api === 'messages')
  if (!upstream) return null
  const { body } = fittedBody(request, { model, upstream, wire: messagesUpstream })
  const timer = startExchangeTimer(signal)
  timer.restart(TIMES.answerMs, 'answer')
  try {
    const { statusCode, json } = await postJson(
      `${upstream.baseUrl}/messages/count_tokens`,
      countedOf(body, upstream.model),
      {
        headers: messagesUpstream.headers(keyOf(upstream), request),
        timer,
        connectMs: TIMES.connectMs,
        idleMs: TIMES.answerMs,
        maxBytes: MAX_BYTES,
      },
    )
    timer.end()
    return statusCode === 200 && isRecord(json) && isTokenCount(json.input_tokens) ? json.input_tokens : null
  } catch {
    timer.cut()
    signal.throwIfAborted()
    return null
  }
}
