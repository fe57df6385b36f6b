/**
 * Which slots a parser shares: short work, long work, and commands that may sleep each have their
 * own.
 */
export type ParserLane = 'quick' | 'heavy' | 'shell'

/** Code that reads what a stranger controls, and what it may use for one task. */
export type Parser = {
  /** Name of the bundled thread entry `dist/<file>.js`, or a file's absolute path. */
  file: string
  lane: ParserLane
  /**
   * True: the thread keeps nothing of a task and may serve another owner next. False: one task,
   * then it ends.
   */
  reused: boolean
  /** CPU time of the thread: the budget proper, the same on a busy machine as on an idle one. */
  cpuMs: number
  /** Time on the clock: a bound for threads that wait instead of computing. */
  wallMs: number
  /** JavaScript heap plus buffers and WebAssembly memory, MiB. */
  memoryMb: number
}

/** How a task ended: with a value, or why without one. */
export type ParserOutcome<T> =
  | { kind: 'done'; value: T }
  | { kind: 'out_of_time' }
  | { kind: 'out_of_memory' }
  | { kind: 'failed'; message: string }

/** What a thread says: first that its modules are loaded, then one reply per task. */
export type ThreadMessage =
  | { kind: 'ready' }
  /** `usedBytes`: heap and buffers of the thread after the task. */
  | { kind: 'done'; value: unknown; usedBytes: number }
  | { kind: 'failed'; message: string }
