import type { AppError } from '../../errors'
import type { CompletionBill } from '../bill'
import type { ChunkFacts, CompletionBody, CompletionChunk, CompletionRequest } from '../completion'

/**
 * One event of a stream whose call is settled by the time it ends. `end` or `error` is always the
 * last.
 */
export type BilledEvent =
  | { kind: 'chunk'; chunk: CompletionChunk; facts: ChunkFacts }
  | { kind: 'end'; bill: CompletionBill; charged: number }
  | { kind: 'error'; error: AppError; charged: number }

/**
 * One event as a client gets it. Exactly one has the charge, in credits; an error is always the
 * last.
 */
export type StreamPiece =
  | { kind: 'chunk'; chunk: Record<string, unknown>; charged?: number }
  | { kind: 'error'; error: AppError; charged: number }

/** One request as its wire reads it, and how that wire writes the answer. `id` is the request's. */
export type WireCall = {
  request: CompletionRequest
  writeAnswer: (answer: CompletionChunk, bill: CompletionBill) => Record<string, unknown>
  writeStream: (events: AsyncIterable<BilledEvent>, id: string) => AsyncGenerator<StreamPiece>
}

/** How a wire is spoken to an upstream. */
export type UpstreamWire = {
  /** Path below the upstream's base URL. */
  path: string
  /** The body it is sent; usage is asked for. `model` is the id the upstream knows. */
  requestBody: (body: CompletionBody, model: string) => Record<string, unknown>
  isAnswer: (json: Record<string, unknown>) => boolean
  /** True for an event's data that ends the stream. */
  isEnd: (data: string) => boolean
  /** True for a chunk with output: from then on no other upstream can serve. */
  hasOutput: (chunk: CompletionChunk) => boolean
  readFacts: (chunk: CompletionChunk) => ChunkFacts
}
