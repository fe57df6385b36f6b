import { createHash } from 'node:crypto'
import { AppError, tooManyWaiting } from '../errors'
import { type JsonBounds, type ReadJson, readJsonBytes } from '../kit/read-json'
import type { Parser } from '../kit/threads/parser'
import { runParser } from '../kit/threads/pool'

/** Bodies above this are parsed in a worker thread, bytes. */
const MAX_ON_MAIN_THREAD = 256 * 1024

/** Texts, keys, lists and objects in one body: the longest conversations have a third. */
const MAX_VALUES = 100_000

/** Items of a list, and keys of an object, where an operation names no other number. */
const MAX_ITEMS = 10_000

const BODY: Parser = { file: 'body-thread', lane: 'quick', reused: true, cpuMs: 4_000, wallMs: 30_000, memoryMb: 384 }

export type BodyTask = { bytes: Uint8Array; bounds: JsonBounds }
export type ThreadBody = { read: ReadJson; hash: Uint8Array }

/** Whose body it is, if that is known, and how long its lists may be. */
type BodyOf = { ownerId?: number; maxItems?: number; signal?: AbortSignal }

/** `hash`: the SHA-256 of the body's bytes. `values`: how many it has, as `JsonBounds` counts. */
export type RequestJson = { value: unknown; hash: () => Buffer; values: number }

/** A body's bytes as JSON. Throws `invalid_request`, and `unavailable` while too many wait. */
export async function parseBody(bytes: Buffer, { ownerId, maxItems, signal }: BodyOf): Promise<RequestJson> {
  const bounds = { items: maxItems ?? MAX_ITEMS, keys: MAX_ITEMS, values: MAX_VALUES }
  if (bytes.length <= MAX_ON_MAIN_THREAD || ownerId === undefined) {
    const { value, values } = readOrThrow(readJsonBytes(bytes, bounds))
    return { value, values, hash: () => createHash('sha256').update(bytes).digest() }
  }
  const task: BodyTask = { bytes, bounds }
  const taskOwner = { owner: String(ownerId), signal }
  const outcome = await runParser<ThreadBody>(BODY, task, taskOwner).catch((error: unknown) => {
    throw tooManyWaiting(error)
  })
  if (outcome.kind === 'failed') throw new Error(`a body was not parsed: ${outcome.message}`)
  if (outcome.kind !== 'done') throw new AppError('invalid_request', 'The body takes too much computing to read.')
  const { read, hash } = outcome.value
  return { ...readOrThrow(read), hash: () => Buffer.from(hash) }
}

function readOrThrow(read: ReadJson): Extract<ReadJson, { kind: 'read' }> {
  if (read.kind === 'refused') throw new AppError('invalid_request', `The body ${read.why}.`)
  return read
}
