import { tooManyWaiting } from '../errors'
import type { Parser } from '../kit/threads/parser'
import { runParser } from '../kit/threads/pool'
import type { TextBounds } from './count-slices'

const TOKENS: Parser = {
  file: 'token-thread',
  lane: 'quick',
  reused: true,
  cpuMs: 8_000,
  wallMs: 40_000,
  memoryMb: 384,
}

export type CountTask = TextBounds & { texts: readonly string[] }

/**
 * Tokens of each text up to the one with which they are enough, counted in a worker thread, in the
 * order of owners. Texts that take too long have a token for each byte, which is never too low.
 * Throws `unavailable` while too many of the owner's wait.
 */
export async function countInThread(task: CountTask, ownerId: number): Promise<number[]> {
  const outcome = await runParser<number[]>(TOKENS, task, { owner: String(ownerId) }).catch((error: unknown) => {
    throw tooManyWaiting(error)
  })
  return outcome.kind === 'done' ? outcome.value : task.texts.map((text) => Buffer.byteLength(text))
}
