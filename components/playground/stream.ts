import { createParser } from 'eventsource-parser'

/**
 * A part of a streamed response. `refused`: nothing ran. `isShort`: the credits do not pay for it.
 * `disconnected`: the stream ended early.
 */
export type ChatStreamPart =
  | { kind: 'started'; requestId: string | null }
  | { kind: 'text'; text: string }
  | { kind: 'reasoning'; text: string }
  | { kind: 'call'; index: number; id: string; name: string; input: string }
  | { kind: 'finish'; reason: string }
  | { kind: 'cost'; charged: number; inputTokens?: number; outputTokens?: number }
  | { kind: 'failed'; message: string; charged: number; isShort?: boolean }
  | { kind: 'refused'; message: string; isShort?: boolean }
  | { kind: 'disconnected' }

type UnknownRecord = Record<string, unknown>
const isObject = (value: unknown): value is UnknownRecord => typeof value === 'object' && value !== null
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function messageIn(body: unknown): string | null {
  const error = isObject(body) && isObject(body.error) ? textOf(body.error.message) : ''
  return error || null
}

const shortIn = (body: unknown): { isShort?: true } =>
  isObject(body) && isObject(body.error) && body.error.code === 'insufficient_credits' ? { isShort: true } : {}

const chargeIn = (body: UnknownRecord): number | null =>
  isObject(body.service) && typeof body.service.credits_charged === 'number' ? body.service.credits_charged : null

/** The pieces of calls of tools in a delta. */
function callsIn(value: unknown): ChatStreamPart[] {
  return (Array.isArray(value) ? value : []).flatMap((call: unknown): ChatStreamPart[] => {
    if (!isObject(call)) return []
    const made = isObject(call.function) ? call.function : {}
    const index = typeof call.index === 'number' ? call.index : 0
    return [{ kind: 'call', index, id: textOf(call.id), name: textOf(made.name), input: textOf(made.arguments) }]
  })
}

/** The parts in one event. Throws SyntaxError if it is not JSON. */
export function parseChatEvent(data: string): ChatStreamPart[] {
  const body: unknown = JSON.parse(data)
  if (!isObject(body)) return []
  const charged = chargeIn(body)
  const failure = messageIn(body)
  if (failure !== null) return [{ kind: 'failed', message: failure, charged: charged ?? 0, ...shortIn(body) }]
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
    ...callsIn(delta.tool_calls),
    ...(reason ? [{ kind: 'finish' as const, reason }] : []),
    ...(charged === null ? [] : [{ kind: 'cost' as const, charged, ...tokens }]),
  ]
}

async function refusalOf(response: Response): Promise<ChatStreamPart> {
  const body: unknown = await response.json().catch(() => null)
  const message = messageIn(body) ?? `The server returned status ${response.status}.`
  return { kind: 'refused', message, ...shortIn(body) }
}

/**
 * The parts of a response as they arrive. Ends after the charge or the error; throws when aborted.
 */
export async function* readChatStreamParts(response: Response): AsyncGenerator<ChatStreamPart> {
  const requestId = response.headers.get('x-request-id')
  if (!response.ok || !response.body) return yield await refusalOf(response)
  yield { kind: 'started', requestId }
  const waiting: string[] = []
  const parser = createParser({ onEvent: ({ data }) => waiting.push(data) })
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return yield { kind: 'disconnected' }
    parser.feed(value)
    for (const data of waiting.splice(0)) {
      if (data === '[DONE]') return
      for (const part of parseChatEvent(data)) {
        yield part
        if (part.kind === 'failed') return
      }
    }
  }
}
