import { AppError } from '../errors'
import type { CompletionChunk, CompletionEvent, ReportedUsage } from '../models/completion'
import { readUsage } from '../models/prices'
import { type HeldCall, settleCall, wireUsage } from './settle'
import type { StreamPiece } from './shape'

/** Longest wait for usage once every choice has ended, milliseconds. */
const USAGE_WAIT_MS = 5_000
/** Most chunks kept back behind the one that may carry the charge. */
const MOST_TAIL = 1_000

type Options = {
  /** The caller asked for a usage chunk of its own. */
  includeUsage: boolean
  /** Cancels the upstream. */
  stop: AbortController
}

type Choice = { index?: unknown; finish_reason?: unknown }

const choicesOf = ({ choices }: CompletionChunk): Choice[] => (Array.isArray(choices) ? choices : [])

/** Which choices a chunk ends. Some vendors send an empty reason with every piece. */
const endedIn = (chunk: CompletionChunk): unknown[] =>
  choicesOf(chunk).flatMap((choice) => (choice?.finish_reason ? [choice.index ?? 0] : []))

/** The next event, or null when it does not come before `deadline`. */
async function nextBefore<T>(events: AsyncIterator<T>, deadline: number | null): Promise<IteratorResult<T> | null> {
  if (deadline === null) return events.next()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, deadline - performance.now()), null)
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
  call: HeldCall,
  source: AsyncIterable<CompletionEvent>,
  { includeUsage, stop }: Options,
): AsyncGenerator<StreamPiece> {
  const events = source[Symbol.asyncIterator]()
  let told: unknown
  let usage: ReportedUsage | null = null
  const ended = new Set<unknown>()
  let deadline: number | null = null
  let last: CompletionChunk | null = null
  let settled = false
  let drained = false

  const hear = (raw: unknown) => {
    const read = readUsage(raw)
    if (read) [usage, told] = [read, raw]
  }
  const finish = (status: 'ok' | 'failed', error?: string) => {
    settled = true
    return settleCall(call, usage, { status, error })
  }

  // The chunk that ends a choice, and what follows it, wait: it may be the one to carry the charge.
  const tail: CompletionChunk[] = []
  try {
    while (tail.length < MOST_TAIL) {
      const next = await nextBefore(events, deadline)
      drained = next?.done === true
      if (next === null || next.done) break
      const event = next.value
      if (event.kind === 'error') {
        for (const chunk of tail.splice(0)) yield { kind: 'chunk', chunk }
        hear(event.chunk?.usage)
        const { charged } = await finish('failed', event.error.message)
        yield { kind: 'error', error: event.error, charged }
        return
      }
      hear(event.chunk.usage)
      if (choicesOf(event.chunk).length === 0) continue
      call.delivered.addChunk(event.chunk)
      const chunk = outward(event.chunk, call, includeUsage)
      last = chunk
      const endings = endedIn(chunk)
      for (const index of endings) ended.add(index)
      if (ended.size >= call.plan.n) deadline ??= performance.now() + USAGE_WAIT_MS
      if (includeUsage) {
        yield { kind: 'chunk', chunk }
        continue
      }
      if (endings.length > 0 || deadline === null) {
        for (const waiting of tail.splice(0)) yield { kind: 'chunk', chunk: waiting }
      }
      if (endings.length > 0 || deadline !== null) tail.push(chunk)
      else yield { kind: 'chunk', chunk }
    }
    const { charged, bill } = await finish('ok')
    const ending = { ...(last ?? emptyChunk(call)), choices: [] as unknown[] }
    if (includeUsage) {
      const usageTold = bill.estimated ? wireUsage(bill.usage) : told
      yield { kind: 'chunk', chunk: { ...ending, usage: usageTold }, charged }
    } else {
      const [carrier = { ...ending, choices: [stopOf(ended, call)] }, ...rest] = tail
      yield { kind: 'chunk', chunk: carrier, charged }
      for (const chunk of rest) yield { kind: 'chunk', chunk }
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    // A stream read to its end leaves its connection for the next call; any other is cut.
    if (!drained) stop.abort(new AppError('conflict', 'The caller left.'))
    if (!settled) await finish('failed', 'The caller left.')
    await events.return?.().catch(() => {})
  }
}

/** The end of the first choice that its upstream left open. */
const stopOf = (ended: ReadonlySet<unknown>, { plan }: HeldCall) => ({
  index: Math.max(
    0,
    Array.from({ length: plan.n }, (_, i) => i).findIndex((i) => !ended.has(i)),
  ),
  delta: {},
  finish_reason: 'stop',
})

const emptyChunk = ({ id, plan }: HeldCall): CompletionChunk => ({
  id,
  object: 'chat.completion.chunk',
  created: Math.floor(Date.now() / 1000),
  model: plan.model.id,
})

/** A chunk under our model id; usage is told by the usage chunk alone, and a charge by nobody but us. */
function outward(
  { usage: _usage, service: _service, ...chunk }: CompletionChunk,
  { plan }: HeldCall,
  includeUsage: boolean,
): CompletionChunk {
  return { ...chunk, model: plan.model.id, ...(includeUsage && { usage: null }) }
}
