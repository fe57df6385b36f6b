import { isRecord, recordsIn } from '../../kit/record'
import { currentTracer, type OpenSpan } from '../../kit/tracing/tracer'
import type { Completion, CompletionEvent, ModelRequest, ReportedUsage, WireAnswer } from '../completion'
import type { Model } from '../shape'

type Operation = 'chat' | 'embeddings'

function openModelSpan(operation: Operation, model: Model): OpenSpan | undefined {
  return currentTracer()?.open({
    name: `${operation} ${model.id}`,
    kind: 'client',
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': model.provider.toLowerCase(),
      'gen_ai.request.model': model.id,
    },
  })
}

const usageAttributes = (usage: ReportedUsage | null) =>
  usage === null
    ? {}
    : {
        'gen_ai.usage.input_tokens': usage.inputTokens,
        'gen_ai.usage.output_tokens': usage.outputTokens,
        ...(usage.cachedInputTokens && { 'gen_ai.usage.cache_read.input_tokens': usage.cachedInputTokens }),
      }

/**
 * Calls a model in a span that ends with its answer: a stream's when it was read to its end, or
 * closed. It has the tokens that the upstream reported, and nothing that was asked or answered.
 */
export async function traceCompletion(
  model: Model,
  { isStream, outputTokens }: ModelRequest,
  call: () => Promise<Completion>,
): Promise<Completion> {
  const open = openModelSpan('chat', model)
  if (!open) return call()
  const { span } = open
  span.setAttribute('gen_ai.request.stream', isStream)
  if (outputTokens !== undefined) span.setAttribute('gen_ai.request.max_tokens', outputTokens)
  try {
    const completion = await open.run(call)
    span.setAttribute('gen_ai.response.model', completion.upstreamModel)
    if (completion.kind === 'stream') return { ...completion, events: observe(completion.events, open) }
    span.setAttributes(usageAttributes(completion.facts.usage))
    noteFinish(open, new Set(finishReasons(completion)))
    span.end()
    return completion
  } catch (error) {
    open.fail(error)
    throw error
  }
}

/** The same for embeddings. */
export async function traceEmbeddings<T extends { usage: ReportedUsage | null }>(
  model: Model,
  call: () => Promise<T>,
): Promise<T> {
  const open = openModelSpan('embeddings', model)
  if (!open) return call()
  try {
    const answer = await open.run(call)
    open.span.setAttributes(usageAttributes(answer.usage))
    open.span.end()
    return answer
  } catch (error) {
    open.fail(error)
    throw error
  }
}

/**
 * A stream that is noted while it is read. It is passed on call by call: a generator of its own
 * would not close a source that was never read.
 */
function observe(source: AsyncIterable<CompletionEvent>, open: OpenSpan): AsyncIterable<CompletionEvent> {
  const { span } = open
  // A stream is handed on once its first output is there.
  span.addEvent('gen_ai.first_token')
  const reasons = new Set<string>()
  let usage: ReportedUsage | null = null
  let isOpen = true
  const end = (error?: unknown) => {
    if (!isOpen) return
    isOpen = false
    span.setAttributes(usageAttributes(usage))
    noteFinish(open, reasons)
    if (error === undefined) span.end()
    else open.fail(error)
  }
  const note = (event: CompletionEvent) => {
    usage = (event.kind === 'chunk' ? event.facts.usage : event.usage) ?? usage
    if (event.kind === 'error') return end(event.error)
    for (const reason of finishReasons({ wire: event.wire, body: event.chunk })) reasons.add(reason)
    if (event.facts.isLast) end()
  }
  return {
    [Symbol.asyncIterator]: () => {
      const events = source[Symbol.asyncIterator]()
      return {
        next: async () => {
          try {
            const next = await events.next()
            if (next.done) end()
            else note(next.value)
            return next
          } catch (error) {
            end(error)
            throw error
          }
        },
        return: async (value) => {
          end()
          return (await events.return?.(value)) ?? { done: true, value }
        },
      }
    },
  }
}

function noteFinish({ span }: OpenSpan, reasons: ReadonlySet<string>): void {
  if (reasons.size > 0) span.setAttribute('gen_ai.response.finish_reasons', [...reasons])
}

/** Why an answer, or the choices that a chunk ends, ended, in the words of its wire. */
function finishReasons({ wire, body }: WireAnswer): string[] {
  switch (wire) {
    case 'chat':
      return recordsIn(body.choices).flatMap((choice) => textOf(choice.finish_reason))
    case 'messages':
      return [...textOf(body.stop_reason), ...(isRecord(body.delta) ? textOf(body.delta.stop_reason) : [])]
    case 'responses': {
      const response = isRecord(body.response) ? body.response : body
      return response.status === 'in_progress' ? [] : textOf(response.status)
    }
    default:
      return wire satisfies never
  }
}

const textOf = (value: unknown): string[] => (typeof value === 'string' ? [value] : [])
