import { setTimeout as sleep } from 'node:timers/promises'
import type { UnknownRecord } from '../../kit/record'
import type { ScriptStep } from '../script/script'
import type { SimulatedCompletion } from './completion'

/** A wire that the sandbox's models answer in. `asked` is the request's body as it came. */
export type SandboxWire = {
  /** The request in the form of a chat completion, which is what the scripts are read from. */
  toChatForm: (asked: UnknownRecord) => UnknownRecord
  errorBody: (step: ScriptStep, status: number) => UnknownRecord
  answerBody: (made: SimulatedCompletion, step: ScriptStep, asked: UnknownRecord) => UnknownRecord
  stream: (made: SimulatedCompletion, step: ScriptStep, asked: UnknownRecord) => SandboxStream
}

/**
 * A part of a stream: a text as it is, a piece, before which a script may pause or break it, the
 * end of some pieces, or the end of all, after which only the usage comes.
 */
type StreamPart = { kind: 'text' | 'piece'; make: () => string } | { kind: 'pieces end' } | { kind: 'all end' }

/** An answer as a stream: events that say it failed, at the beginning and later, and its parts. */
export type SandboxStream = { refused: () => string; failed: () => string; parts: Iterable<StreamPart> }

export const textPart = (make: () => string): StreamPart => ({ kind: 'text', make })
export const piecePart = (make: () => string): StreamPart => ({ kind: 'piece', make })

/** A thing to do to the stream: send this, break it, or say nothing until the other side leaves. */
type StreamMove = { kind: 'send'; text: string } | { kind: 'cut' } | { kind: 'hang' }

const send = (text: string): StreamMove => ({ kind: 'send', text })

/** A stream with the script's pauses and accidents. Ends early when `gone` aborts. */
export async function* streamMoves(
  { refused, failed, parts }: SandboxStream,
  step: ScriptStep,
  gone: AbortSignal,
): AsyncGenerator<StreamMove> {
  const pause = (ms: number | undefined) => (ms ? sleep(ms, undefined, { signal: gone }) : undefined)
  if (step.errorBody200) return yield send(refused())
  let sent = 0
  for (const part of parts) {
    if (part.kind === 'all end') {
      if (step.stopAfterTextBeforeUsage) return yield { kind: 'hang' }
      await pause(step.usageDelayMs)
      continue
    }
    if (part.kind === 'piece' && sent > 0) await pause(step.chunkDelayMs)
    const accident = part.kind === 'text' ? null : accidentAt(sent, step, failed)
    if (accident) return yield accident
    if (part.kind === 'pieces end') continue
    if (part.kind === 'piece') {
      sent++
      if (step.comments) yield send(': sandbox processing\n\n')
    }
    yield send(part.make())
  }
}

/** What happens instead of piece number `sent`. */
function accidentAt(sent: number, step: ScriptStep, failed: () => string): StreamMove | null {
  if (sent === step.hangAfterChunks) return { kind: 'hang' }
  if (sent === step.cutAfterChunks) return { kind: 'cut' }
  if (sent === step.garbageAfterChunks) return send('data: {"choices": [{\n\n')
  return sent === step.failAfterChunks ? send(failed()) : null
}

/** The message of an error that a script does not word. */
export const failureText = (status: number): string => `The sandbox was asked to fail with ${status}.`

/** A text word by word, each with the blanks before it. */
export const wordsOf = (text: string): string[] => text.match(/\s*\S+|\s+/g) ?? []

/** A text in so many pieces, at least one unless it is empty; without a number word by word. */
export function piecesOf(text: string, chunks: number | undefined): string[] {
  if (chunks === undefined) return wordsOf(text)
  const units = [...text]
  const count = Math.min(chunks, units.length)
  return Array.from({ length: count }, (_, i) =>
    units.slice(Math.floor((i * units.length) / count), Math.floor(((i + 1) * units.length) / count)).join(''),
  )
}

/** The arguments of a call in the two pieces that they come in. */
export function halvesOf(text: string): string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}
