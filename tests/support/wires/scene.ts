import type { WireName } from '../../../server/models/completion'

export type JsonObject = Record<string, unknown>

/** Tokens as a provider counts them: `input` has those of the cache in it. */
export type SceneUsage = { input: number; output: number; cached?: number; written?: number; reasoning?: number }

/** What a provider's model says, in no wire. Texts are in the pieces that a stream brings. */
export type Scene = {
  text?: readonly string[]
  /** What it thought, and what must come back unchanged with the next request. */
  thought?: { text: readonly string[]; proof: string }
  calls?: readonly { id: string; name: string; args: readonly string[] }[]
  usage: SceneUsage
  /**
   * How it goes wrong: an error instead of an answer, an error after the first text, or silence:
   * before the headers, after the first text, or after the last token and before the usage.
   */
  fault?: { status: number; message: string } | 'error' | 'silent' | 'silent after text' | 'silent before usage'
}

/** What a test asks a model, in no wire. */
export type Ask = {
  model: string
  text: string
  limit?: number
  tools?: readonly string[]
  /** A data: URI. */
  image?: string
  schema?: JsonObject
  effort?: 'low' | 'high'
  /** The answer of before, and what its calls gave. */
  earlier?: { answer: Reading; results: Readonly<Record<string, string>> }
}

/** What a client reads of an answer, in no wire. */
export type Reading = {
  model: unknown
  text: string
  thought: string
  calls: { id: string; name: string; input: unknown }[]
  stop: 'end' | 'tools'
  usage: SceneUsage
  /** The answer as the client sends it back. */
  native: unknown
}

/** What a provider read of a request, in no wire. */
export type Seen = {
  text: string
  tools: string[]
  image: string | null
  schema: unknown
  effort: string | null
  limit: unknown
  /** The proof of the thought of before. */
  proof: unknown
  results: Record<string, string>
}

/** An event as a client gets it. `data` is text where it is not JSON. */
export type SseEvent = { event: string | undefined; data: unknown }

/** A client that speaks one wire. */
export type WireClient = {
  path: string
  body: (ask: Ask, isStream: boolean) => JsonObject
  readAnswer: (body: JsonObject) => Reading
  /** Fails where the events are not in the order of the wire. */
  readStream: (events: readonly SseEvent[]) => Reading
  readError: (body: JsonObject) => { code: unknown; message: unknown }
  /** The body of the event that ends a failed stream, or null. */
  failureIn: (events: readonly SseEvent[]) => JsonObject | null
}

/** A part of a provider's stream. A silent one ends after the part with its mark. */
export type Move = { text: string; mark?: 'text' | 'said' }

/** A provider that speaks one wire, event by event as the real ones do. */
export type WireProvider = {
  path: string
  read: (asked: JsonObject) => Seen
  answer: (scene: Scene) => JsonObject
  moves: (scene: Scene) => Move[]
  refusal: (message: string) => JsonObject
}

export const WIRE_NAMES = ['chat', 'responses', 'messages'] as const satisfies readonly WireName[]

/** The events of a stream that have the charge. */
export const billedEvents = (events: readonly SseEvent[]): JsonObject[] =>
  events.flatMap(({ data }) =>
    typeof data === 'object' && data !== null && 'service' in data ? [data as JsonObject] : [],
  )

/** The pieces of several texts, alternating: how parallel calls come. */
export const interleaved = <T>(lists: readonly (readonly T[])[]): { of: number; piece: T }[] =>
  Array.from({ length: Math.max(0, ...lists.map((list) => list.length)) }, (_, i) =>
    lists.flatMap((list, of) => (i < list.length ? [{ of, piece: list[i] as T }] : [])),
  ).flat()
