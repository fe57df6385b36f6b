import { withTimeout } from '../../kit/with-timeout'
import type { ChunkFacts, CompletionEvent, ReportedUsage } from '../completion'

/** Longest wait for usage once every choice has ended. */
const USAGE_WAIT_MS = 5_000
/** Chunks read after every choice has ended. */
const MAX_CHUNKS_AFTER_END = 1_000

/** Reads an upstream's stream, and knows what has been read of it. */
export type StreamReader = {
  /**
   * The next event; null at the end of the stream, and when nothing more is worth waiting for.
   */
  next: () => Promise<CompletionEvent | null>
  /** The usage that was reported so far. */
  usage: () => ReportedUsage | null
  /**
   * True once the upstream has ended the stream: its connection serves the next call. Any other is
   * to be cut.
   */
  isDrained: () => boolean
  /** Returns from the stream, however far it was read. */
  close: () => Promise<void>
}

/** Reads a stream of `n` choices. */
export function openStreamReader(source: AsyncIterable<CompletionEvent>, n: number): StreamReader {
  const events = source[Symbol.asyncIterator]()
  const endedChoices = new Set<unknown>()
  let usage: ReportedUsage | null = null
  let deadline: number | null = null
  let chunksAfterEnd = 0
  let isDrained = false
  const note = (facts: ChunkFacts) => {
    usage = facts.usage ?? usage
    if (facts.isEmpty) return
    for (const index of facts.endedChoices) endedChoices.add(index)
    if (endedChoices.size < n) return
    deadline ??= performance.now() + USAGE_WAIT_MS
    chunksAfterEnd++
  }
  return {
    next: async () => {
      if (chunksAfterEnd >= MAX_CHUNKS_AFTER_END) return null
      const next = await nextBefore(events, deadline)
      isDrained = next?.done === true
      if (next === null || next.done) return null
      const { value } = next
      if (value.kind === 'chunk') note(value.facts)
      else usage = value.usage ?? usage
      return value
    },
    usage: () => usage,
    isDrained: () => isDrained,
    close: async () => void (await events.return?.().catch(() => {})),
  }
}

/** The next item, or null when it does not come before `deadline`. */
async function nextBefore<T>(items: AsyncIterator<T>, deadline: number | null): Promise<IteratorResult<T> | null> {
  if (deadline === null) return items.next()
  return withTimeout(items.next(), deadline - performance.now())
}
