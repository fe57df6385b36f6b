import { createParser } from 'eventsource-parser'

/** What an answer brings, in order. `refused`: nothing ran. `broken`: the connection ended before the answer did. */
export type ChatStreamPart =
  | { kind: 'begun'; requestId: string | null }
  | { kind: 'text'; text: string }
  | { kind: 'reasoning'; text: string }
  | { kind: 'ending'; reason: string }
  | { kind: 'cost'; charged: number; inputTokens?: number; outputTokens?: number }
  | { kind: 'failed'; message: string; charged: number }
  | { kind: 'refused'; message: string }
  | { kind: 'broken' }

type Loose = Record<string, unknown>
const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function messageIn(body: unknown): string | null {
  const error = isObject(body) && isObject(body.error) ? textOf(body.error.message) : ''
  return error || null
}

const chargeIn = (body: Loose): number | null =>
  isObject(body.service) && typeof body.service.credits_charged === 'number' ? body.service.credits_charged : null

/** What one event says. Throws SyntaxError for one that is no JSON. */
export function parseChatEvent(data: string): ChatStreamPart[] {
  const body: unknown = JSON.parse(data)
  if (!isObject(body)) return []
  const charged = chargeIn(body)
  const failure = messageIn(body)
  if (failure !== null) return [{ kind: 'failed', message: failure, charged: charged ?? 0 }]
  const choice: unknown = Array.isArray(body.choices) ? body.choices[0] : undefined
  const delta = isObject(choice) && isObject(choice.delta) ? choice.delta : {}
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = isObject(body.usage) ? body.usage : {}
  const text = textOf(delta.content) || textOf(delta.refusal)
  const reasoning = textOf(delta.reasoning) || textOf(delta.reasoning_content)
  const reason = isObject(choice) ? textOf(choice.finish_reason) : ''
  const tokens =
    typeof inputTokens === 'number' && typeof outputTokens === 'number' ? { inputTokens, outputTokens } : {}
  return [
    ...(reasoning ? [{ kind: 'reasoning' as const, text: reasoning }] : []),
    ...(text ? [{ kind: 'text' as const, text }] : []),
    ...(reason ? [{ kind: 'ending' as const, reason }] : []),
    ...(charged === null ? [] : [{ kind: 'cost' as const, charged, ...tokens }]),
  ]
}

async function refusalOf(response: Response): Promise<string> {
  const message = messageIn(await response.json().catch(() => null))
  return message ?? `The server answered ${response.status}.`
}

/** Every piece of an answer as it comes. Ends after the charge, the failure, or the break; throws when aborted. */
export async function* readChatStreamParts(response: Response): AsyncGenerator<ChatStreamPart> {
  const requestId = response.headers.get('x-request-id')
  if (!response.ok || !response.body) return yield { kind: 'refused', message: await refusalOf(response) }
  yield { kind: 'begun', requestId }
  const waiting: string[] = []
  const parser = createParser({ onEvent: ({ data }) => waiting.push(data) })
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return yield { kind: 'broken' }
    parser.feed(value)
    for (const data of waiting.splice(0)) {
      if (data === '[DONE]') return
      for (const piece of parseChatEvent(data)) {
        yield piece
        if (piece.kind === 'failed') return
      }
    }
  }
}
