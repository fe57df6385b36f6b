import type { AppError } from '../errors'

/**
 * A format in which completions are asked for and answered. `chat` is also the internal form: what
 * comes in one wire and goes to an upstream of another is translated through it.
 */
export type WireName = 'chat' | 'responses' | 'messages'

/** A request body in its wire, including fields we do not know. */
export type CompletionBody = Record<string, unknown>

/** A parsed answer, or a chunk of a streamed one, in its wire. */
export type CompletionChunk = Record<string, unknown>

export type OutputLimit = {
  /** Output tokens per choice that the caller allows; null: not given. */
  outputTokens: number | null
  /** Number of choices. */
  n: number
}

/** What a prompt holds: text that must be counted, and tokens known without counting. */
export type PromptParts = { texts: string[]; tokens: number; images: number }

/** Where a value is in a body. */
export type BodyPath = (string | number)[]

/**
 * An image or file in a body. `url`: its address as the caller gave it, whatever that is, to be
 * checked and rewritten. `wrong`: why it is not allowed there at all. Neither: it is inline.
 * `part`: the path that errors name, where it is another.
 */
export type MediaRef = { kind: 'image' | 'file'; path: BodyPath; part?: BodyPath; url?: unknown; wrong?: string }

/** What a model is asked, in any wire. */
export type ModelRequest = {
  wire: WireName
  isStream: boolean
  /** With `isStream`: an answer that comes whole is taken too. */
  takesWhole?: boolean
  /** The body in its wire, without what is not passed on. */
  body: CompletionBody
  /**
   * A body of this wire in chat form, for an upstream of another wire. Throws `invalid_request` for
   * what that cannot carry.
   */
  toChat: (body: CompletionBody) => CompletionBody
  /** Output tokens per choice, where the body names no limit. */
  outputTokens?: number
  /** The caller's headers that an upstream of the same wire gets. */
  headers?: Record<string, string>
}

/** What a caller's request asks for, in whichever wire it came. */
export type CompletionRequest = ModelRequest & {
  model: string
  limit: OutputLimit
  /** An upper bound of a body's prompt. */
  measurePrompt: (body: CompletionBody) => PromptParts
  /** Every image, file and URL in a body. */
  media: (body: CompletionBody) => MediaRef[]
}

/**
 * Tokens of one call, in every wire counted alike: the input includes cached and cache-write
 * tokens, the output includes reasoning.
 */
export type TokenUsage = {
  inputTokens: number
  outputTokens: number
  /** Input tokens that the provider read from its cache, and that it wrote to it. */
  cachedInputTokens?: number
  cacheWriteTokens?: number
  /** Output tokens of reasoning. */
  reasoningTokens?: number
}

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
  /** True for a chunk that nothing follows. */
  isLast?: boolean
}

/**
 * What a stream brings. An `error` is always the last: the upstream failed after the answer had
 * begun. A chunk is in the request's wire where the upstream speaks it, else in chat form.
 */
export type CompletionEvent =
  | { kind: 'chunk'; wire: WireName; chunk: CompletionChunk; facts: ChunkFacts }
  | { kind: 'error'; error: AppError; usage: ReportedUsage | null }

/** A whole answer, in the request's wire where the upstream speaks it, else in chat form. */
export type WireAnswer = { wire: WireName; body: CompletionChunk }

/** An upstream's answer. `upstreamModel` is the id the upstream knows the model by. */
export type Completion =
  | (WireAnswer & { kind: 'json'; facts: ChunkFacts; upstreamModel: string })
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
  /** What log lines about the call name. */
  logged?: LoggedCall
}

/** The call that a log line is about: the id of its request and receipt, and who pays. */
export type LoggedCall = { requestId?: string; owner: number; job?: string }
