import { AppError } from '../errors'
import { readUsage } from '../models/meter'
import type { ChatChunk, ChatEvent, Usage } from '../models/wire'
import { type Bill, type Measured, measure, settleChat, wireUsage } from './bill'
import type { StreamPiece } from './shape'

/** Longest wait for usage once every choice has ended, milliseconds. */
const USAGE_WAIT_MS = 5_000

type Options = {
  /** The caller asked for a usage chunk of its own. */
  includeUsage: boolean
  /** Cancels the upstream. */
  stop: AbortController
}

type Choice = { finish_reason?: unknown }

const choicesOf = ({ choices }: ChatChunk): Choice[] => (Array.isArray(choices) ? choices : [])
const endings = (chunk: ChatChunk): number => choicesOf(chunk).filter((c) => c?.finish_reason != null).length

/** The next event, or null when it does not come within `ms`. */
async function nextWithin<T>(events: AsyncIterator<T>, ms: number | null): Promise<IteratorResult<T> | null> {
  if (ms === null) return events.next()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null)
  })
  const next = events.next()
  next.catch(() => {})
  return Promise.race([next, late]).finally(() => clearTimeout(timer))
}

/**
 * An upstream's stream as its caller gets it: our model id on every chunk, usage only for who asked, and the charge on
 * exactly one chunk, the usage chunk or else the last that ends a choice. Settles when the stream ends: at its usage,
 * or, where that never comes or the caller leaves, at what was counted. Leaving it cancels the upstream.
 */
export async function* billedStream(
  bill: Bill,
  source: AsyncIterable<ChatEvent>,
  { includeUsage, stop }: Options,
): AsyncGenerator<StreamPiece> {
  const events = source[Symbol.asyncIterator]()
  let usage: Usage | null = null
  let ended = 0
  let last: ChatChunk | null = null
  let settled = false
  let drained = false

  const finish = async (status: 'ok' | 'failed', error?: string): Promise<{ charged: number; measured: Measured }> => {
    settled = true
    const measured = await measure(bill, usage)
    const { charged } = await settleChat(bill, measured, { status, error })
    return { charged: Number(charged), measured }
  }

  let held: ChatChunk | null = null
  try {
    for (;;) {
      const next = await nextWithin(events, ended >= bill.plan.n ? USAGE_WAIT_MS : null)
      drained = next?.done === true
      if (next === null || next.done) break
      const event = next.value
      if (event.kind === 'error') {
        if (held) yield { kind: 'chunk', chunk: held }
        if (event.chunk) usage = readUsage(event.chunk.usage) ?? usage
        const { charged } = await finish('failed', event.error.message)
        yield { kind: 'error', error: event.error, charged }
        return
      }
      usage = readUsage(event.chunk.usage) ?? usage
      const chunk = outward(event.chunk, bill, includeUsage)
      if (choicesOf(chunk).length === 0) continue
      bill.counter.addChunk(event.chunk)
      last = chunk
      ended += endings(chunk)
      // The chunk that ends a choice waits: it may be the one to carry the charge.
      if (held) yield { kind: 'chunk', chunk: held }
      held = null
      if (endings(chunk) > 0 && !includeUsage) held = chunk
      else yield { kind: 'chunk', chunk }
    }
    const { charged, measured } = await finish('ok')
    const ending = { ...(last ?? emptyChunk(bill)), choices: [] as unknown[] }
    if (includeUsage) yield { kind: 'chunk', chunk: { ...ending, usage: wireUsage(measured.usage) }, charged }
    else yield { kind: 'chunk', chunk: held ?? { ...ending, choices: [stopChoice] }, charged }
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    // A stream read to its end leaves its connection for the next call; any other is cut.
    if (!drained) stop.abort(new AppError('conflict', 'The caller left.'))
    if (!settled) await finish('failed', 'The caller left.')
    await events.return?.().catch(() => {})
  }
}

const stopChoice = { index: 0, delta: {}, finish_reason: 'stop' }

const emptyChunk = ({ id, plan }: Bill): ChatChunk => ({
  id,
  object: 'chat.completion.chunk',
  created: Math.floor(Date.now() / 1000),
  model: plan.model.id,
})

/** A chunk under our model id; usage is told by the usage chunk alone. */
function outward({ usage: _told, ...chunk }: ChatChunk, { plan }: Bill, includeUsage: boolean): ChatChunk {
  return { ...chunk, model: plan.model.id, ...(includeUsage && { usage: null }) }
}
