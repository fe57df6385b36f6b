import { randomUUID } from 'node:crypto'
import { forkProcess, type SupervisedProcess } from './fork'
import { endOrKill } from './patience'
import type { SettingsReading } from './reading'
import { relayQuestions } from './relay'

/** What is run, and how often. */
export type GroupOptions = {
  entry: string
  count: number
  /** Node's options, the entry's file and its arguments. */
  entryArgs: readonly string[]
  reading: SettingsReading
  /** Reads the settings again. Throws a CliError where a file cannot be read. */
  readAgain: () => SettingsReading
  /** How long a process that was asked to end is waited for before it is killed, milliseconds. */
  leaveMs: number
}

/** The processes of one command, as those who start, keep and replace them know them. */
export type GroupState = GroupOptions & {
  /** Names this launcher among all of them. */
  id: string
  /** Those that have not ended, leaving ones and successors included. */
  alive: Set<SupervisedProcess>
  /** The process of each slot, from 1 on; none while it is about to be started again. */
  slots: Map<number, SupervisedProcess>
  stopping: AbortController
  /** How those ended that were asked to stop. */
  codes: number[]
}

export const makeGroup = (options: GroupOptions): GroupState => ({
  ...options,
  id: randomUUID(),
  alive: new Set(),
  slots: new Map(),
  stopping: new AbortController(),
  codes: [],
})

/** Starts a process for a slot, which a former one may still have. */
export function startProcess(group: GroupState, slot: number): SupervisedProcess {
  const started = forkProcess(slot, group)
  group.alive.add(started)
  relayQuestions(started, group.alive)
  void started.ended.then(({ code }) => {
    group.alive.delete(started)
    if (group.stopping.signal.aborted) group.codes.push(started.isReady ? (code ?? 1) : 0)
  })
  if (group.stopping.signal.aborted) askToEnd(group, started)
  return started
}

/** Has a process end. One that hangs is killed in the end, and the command then fails. */
export function askToEnd({ leaveMs, codes }: GroupState, { worker, ended }: SupervisedProcess): void {
  worker.process.kill('SIGTERM')
  void endOrKill({ process: worker.process, ended, leaveMs, onKill: () => codes.push(1) })
}
