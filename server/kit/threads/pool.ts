import { availableParallelism } from 'node:os'
import { type FairSlots, makeFairSlots, type SlotLimits } from '../fair-slots'
import { log } from '../log'
import { gauge } from '../metrics/registry'
import type { Parser, ParserLane, ParserOutcome } from './parser'
import { startThread, type WorkerThread } from './thread'

const CORES = availableParallelism()
const QUEUE = { queuedPerOwner: 64, queued: 1_024 }
const LANES: Record<ParserLane, SlotLimits> = {
  quick: { ...QUEUE, slots: Math.min(8, Math.max(2, CORES)), perOwner: Math.min(4, Math.max(1, CORES >> 1)) },
  heavy: { ...QUEUE, slots: 2, perOwner: 1 },
  shell: { ...QUEUE, slots: 4, perOwner: 2 },
}

const IDLE_MS = 30_000
/** Tasks of one thread before a fresh one takes its place. */
const MAX_TASKS = 100

type Idle = { thread: WorkerThread; tasks: number; timer: NodeJS.Timeout }

type Pool = { lanes: Record<ParserLane, FairSlots>; idle: Map<string, Idle[]> }

const pool: Pool = {
  lanes: {
    quick: makeFairSlots(LANES.quick),
    heavy: makeFairSlots(LANES.heavy),
    shell: makeFairSlots(LANES.shell),
  },
  idle: new Map(),
}

const LOADS = ['held', 'queued'] as const
const STATES = { held: 'running', queued: 'waiting' } as const

gauge('tollgate_parser_tasks', 'Tasks of worker threads, by lane: running in a thread, or waiting for one', {
  labelNames: ['lane', 'state'],
  collect: (tasks) => {
    for (const [lane, slots] of Object.entries(pool.lanes)) {
      const load = slots.load()
      for (const kind of LOADS) tasks.labels(lane, STATES[kind]).set(load[kind])
    }
  },
})

/**
 * For whom a task runs; aborting `signal` takes it out of the queue or ends its thread, and throws
 * the reason.
 */
export type TaskOwner = { owner: string; signal?: AbortSignal }

/**
 * Runs one task of a parser in a worker thread of this process's pool, when it is its owner's turn.
 * Throws `QueueFullError` when too many wait already.
 */
export async function runParser<T>(
  parser: Parser,
  input: unknown,
  { owner, signal }: TaskOwner,
): Promise<ParserOutcome<T>> {
  const release = await pool.lanes[parser.lane].take(owner, signal)
  try {
    const { thread, tasks } = (parser.reused && takeIdle(parser)) || { thread: startThread(parser), tasks: 0 }
    let isKept = false
    try {
      const outcome = await thread.run<T>(input, { cpuMs: parser.cpuMs, wallMs: parser.wallMs, signal })
      if (outcome.kind === 'out_of_time' || outcome.kind === 'out_of_memory')
        log.warn({ parser: parser.file, owner, why: outcome.kind }, 'a parser was stopped')
      isKept = parser.reused && tasks + 1 < MAX_TASKS && thread.isUsable() && keepIdle(parser, thread, tasks + 1)
      return outcome
    } finally {
      if (!isKept) await thread.end()
    }
  } finally {
    release()
  }
}

// Threads of one file may have different bounds, so both name the kind of thread.
const kindOf = ({ file, memoryMb }: Parser): string => `${file} ${memoryMb}`

function takeIdle(parser: Parser): Idle | undefined {
  const waiting = pool.idle.get(kindOf(parser)) ?? []
  for (let found = waiting.pop(); found; found = waiting.pop()) {
    clearTimeout(found.timer)
    if (found.thread.isUsable()) return found
  }
  return undefined
}

/** False when enough threads are idle. */
function keepIdle(parser: Parser, thread: WorkerThread, tasks: number): boolean {
  const kind = kindOf(parser)
  const waiting = pool.idle.get(kind) ?? []
  if ([...pool.idle.values()].flat().length >= LANES.quick.slots) return false
  const leave = () => {
    waiting.splice(waiting.indexOf(entry), 1)
    void thread.end()
  }
  const entry: Idle = { thread, tasks, timer: setTimeout(leave, IDLE_MS).unref() }
  waiting.push(entry)
  pool.idle.set(kind, waiting)
  return true
}

/** Ends the threads that wait for work. */
export async function closeParsers(): Promise<void> {
  const waiting = [...pool.idle.values()].flat()
  pool.idle.clear()
  for (const { timer } of waiting) clearTimeout(timer)
  await Promise.all(waiting.map(({ thread }) => thread.end()))
}
