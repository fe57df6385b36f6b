import type { AppError } from '../../errors'
import type { Abilities } from '../abilities/shape'
import type { CompletionBill } from '../bill'
import type {
  ChunkFacts,
  CompletionBody,
  CompletionChunk,
  CompletionRequest,
  ModelRequest,
  WireAnswer,
  WireName,
} from '../completion'
import type { Upstream } from '../shape'

/**
 * One event of a stream whose call is settled by the time it ends. `end` or `error` is always the
 * last. A chunk is in the request's wire, or in chat form.
 */
export type BilledEvent =
  | { kind: 'chunk'; wire: WireName; chunk: CompletionChunk; facts: ChunkFacts }
  | { kind: 'end'; bill: CompletionBill; charged: number }
  | { kind: 'error'; error: AppError; charged: number }

/**
 * One event as a client gets it. Exactly one has the charge, in credits; an error is always the
 * last. `event` is its name, in wires that name them. An error's `chunk` is what the wire says of
 * it beside the error itself.
 */
export type StreamPiece =
  | { kind: 'chunk'; event?: string; chunk: Record<string, unknown>; charged?: number }
  | { kind: 'error'; event?: string; chunk?: Record<string, unknown>; error: AppError; charged: number }

/** Writes the events of one stream, in their order, as what a client gets. */
export type PieceWriter = (event: BilledEvent) => StreamPiece[]

/** One request as its wire reads it, and how that wire writes the answer. `id` is the request's. */
export type WireCall = {
  request: CompletionRequest
  writeAnswer: (answer: WireAnswer, bill: CompletionBill, id: string) => Record<string, unknown>
  openStream: (id: string) => PieceWriter
}

/** How an upstream is asked, beside the body. */
export type UpstreamAsk = {
  /** The model and its settings at the upstream. */
  upstream: Upstream
  isStream: boolean
  /** Output tokens per choice, where the body names no limit. */
  outputTokens?: number
  /** What the model takes there. */
  abilities: Pick<Abilities, 'efforts' | 'limitField'>
}

/** How a wire is spoken to an upstream. */
export type UpstreamWire = {
  name: WireName
  /** Path below the upstream's base URL. */
  path: string
  /** The headers with the operator's key, and what else the wire asks for. */
  headers: (key: string | undefined, request: Pick<ModelRequest, 'wire' | 'headers'>) => Record<string, string>
  /** A body of chat form in this wire. Throws `invalid_request` for what it cannot carry. */
  fromChat: (body: CompletionBody) => CompletionBody
  /** The body it is sent, made of one of this wire. Usage is asked for. */
  requestBody: (body: CompletionBody, ask: UpstreamAsk) => Record<string, unknown>
  isAnswer: (json: CompletionChunk) => boolean
  /** The error that an answer or a chunk reports, or null. */
  readError: (chunk: CompletionChunk) => unknown
  /** True for an event's data that ends the stream and says nothing else. */
  isEnd: (data: string) => boolean
  /** True for a chunk with output: from then on no other upstream can serve. */
  hasOutput: (chunk: CompletionChunk) => boolean
  /** Reads an answer, or the chunks of one stream in their order. */
  makeFactsReader: () => (chunk: CompletionChunk) => ChunkFacts
  toChatAnswer: (answer: CompletionChunk) => CompletionChunk
  /** Translates the chunks of one stream, in their order. */
  makeChatTranslator: () => (chunk: CompletionChunk) => CompletionChunk[]
}
