import type { AppError } from '../errors'

/** A chat-completions request body, fields unknown to us included. */
export type CompletionBody = Record<string, unknown>

/** A parsed `chat.completion.chunk`, as the upstream sent it. */
export type CompletionChunk = Record<string, unknown>

/** What a stream brings. An `error` is always the last: the upstream failed after the answer had begun. */
export type CompletionEvent =
  | { kind: 'chunk'; chunk: CompletionChunk }
  | { kind: 'error'; error: AppError; chunk: CompletionChunk | null }

/** An upstream's answer. `upstreamModel` is the id the upstream knows the model by. */
export type Completion =
  | { kind: 'json'; body: Record<string, unknown>; upstreamModel: string }
  | { kind: 'stream'; events: AsyncIterable<CompletionEvent>; upstreamModel: string }

/** Milliseconds to wait for a connection, for headers (streaming: the first event), and between two pieces. */
export type UpstreamTimeouts = { connectMs: number; firstByteMs: number; idleMs: number }

export type CallModelOptions = {
  /** Aborting it closes the upstream's socket at once; `complete` and the stream then throw its reason. */
  signal: AbortSignal
  /** `accepted` is true while an upstream has the whole request body; false again when the next one is tried. */
  sent?: { accepted: boolean }
  timeouts?: Partial<UpstreamTimeouts>
}

/** Tokens of one call. */
export type TokenUsage = { inputTokens: number; outputTokens: number }

/** Tokens as an upstream reported them, with what it says it charges the operator, if it does. */
export type ReportedUsage = TokenUsage & { costUsd?: number }
