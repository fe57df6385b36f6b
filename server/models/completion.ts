import type { AppError } from '../errors'

/**
 * A chat-completions request body, including fields we do not know. It is the internal form of
 * every request.
 */
export type CompletionBody = Record<string, unknown>

/** A parsed answer, or a chunk of a streamed one, as the upstream sent it. */
export type CompletionChunk = Record<string, unknown>

export type OutputLimit = {
  /** Output tokens per choice that the caller allows; null: not given. */
  outputTokens: number | null
  /** Number of choices. */
  n: number
}

/** What a request asks for, in whichever wire it came. */
export type CompletionRequest = {
  model: string
  isStream: boolean
  limit: OutputLimit
  body: CompletionBody
}

/** Tokens of one call. */
export type TokenUsage = { inputTokens: number; outputTokens: number }

/** Tokens as an upstream reported them, with what it says it charges the operator, if it does. */
export type ReportedUsage = TokenUsage & { costUsd?: number }

/**
 * A piece of text in an answer. Pieces of one lane form one text: a choice's content, its
 * reasoning, one tool call.
 */
export type WrittenText = { lane: string; text: string }

/** What an answer or a chunk says, read once and independent of its wire. */
export type ChunkFacts = {
  /** Null: none, or none that can be believed. */
  usage: ReportedUsage | null
  texts: WrittenText[]
  /** The choices it ends. */
  endedChoices: unknown[]
  /** True when it has no choice at all. */
  isEmpty: boolean
}

/**
 * What a stream brings. An `error` is always the last: the upstream failed after the answer had
 * begun.
 */
export type CompletionEvent =
  | { kind: 'chunk'; chunk: CompletionChunk; facts: ChunkFacts }
  | { kind: 'error'; error: AppError; usage: ReportedUsage | null }

/** An upstream's answer. `upstreamModel` is the id the upstream knows the model by. */
export type Completion =
  | { kind: 'json'; body: CompletionChunk; facts: ChunkFacts; upstreamModel: string }
  | { kind: 'stream'; events: AsyncIterable<CompletionEvent>; upstreamModel: string }

/**
 * Milliseconds to wait for a connection, for headers (streaming: the first event), and between two
 * pieces.
 */
export type UpstreamTimeouts = { connectMs: number; firstByteMs: number; idleMs: number }

export type CallModelOptions = {
  /**
   * Aborting it closes the upstream's socket at once; `callModel` and the stream then throw its
   * reason.
   */
  signal: AbortSignal
  /**
   * `accepted` is true while an upstream has the whole request body; false again when the next one
   * is tried.
   */
  sent?: { accepted: boolean }
  timeouts?: Partial<UpstreamTimeouts>
}
