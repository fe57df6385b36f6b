import { AppError } from '../../errors'
import type { Completion, CompletionEvent } from '../completion'
import type { TokenCounter } from '../tokens'

/** How many times the tokens it was asked for a stream may bring: tokenizers differ. */
const TOLERANCE = 2
/** Events without any text, such as pings, that any stream may have besides. */
const OTHER_EVENTS = 1_000

/** What a stream was asked for, in tokens of all its choices, and what was delivered of it. */
type OutputLimits = { maxTokens: number; delivered: TokenCounter }

/** A completion whose stream ends with an error when it brings far more than was asked for. */
export const limitOutput = (completion: Completion, limits: OutputLimits): Completion =>
  completion.kind === 'stream' ? { ...completion, events: upToLimit(completion.events, limits) } : completion

async function* upToLimit(
  events: AsyncIterable<CompletionEvent>,
  { maxTokens, delivered }: OutputLimits,
): AsyncGenerator<CompletionEvent> {
  const allowed = maxTokens * TOLERANCE
  let count = 0
  for await (const event of events) {
    count++
    if (count > allowed + OTHER_EVENTS || delivered.counted() > allowed) {
      const error = new AppError('upstream_error', "The model's provider sent far more than it was asked for.")
      yield { kind: 'error', error, usage: null }
      return
    }
    yield event
  }
}
