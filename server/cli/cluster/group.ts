import { randomUUID } from 'node:crypto'
import type { SiblingMessage } from '../../kit/siblings'
import { forkProcess, type SupervisedProcess } from './fork'
import { endOrKill } from './patience'
import type { SettingsReading } from './reading'

const send = ({ worker }: SupervisedProcess, message: SiblingMessage): void => {
  if (worker.isConnected()) worker.send(message, () => {})
}

/**
 * Passes on what a process asks its siblings, and their answers. Processes that are leaving are not
 * asked: another has their number.
 */
function relayQuestions(asker: SupervisedProcess, all: ReadonlySet<SupervisedProcess>): void {
  asker.worker.on('message', (message: SiblingMessage) => {
    if (message.kind === 'ask') {
      const { id, topic } = message
      const serving = [...all].filter(({ isReady, isLeaving }) => isReady && !isLeaving)
      const asked = serving.sort((one, other) => one.slot - other.slot)
      send(asker, { kind: 'expect', id, slots: asked.map(({ slot }) => slot) })
      for (const one of asked) send(one, { kind: 'asked', id, topic, by: asker.worker.id })
    }
    if (message.kind === 'answer') {
      const target = [...all].find(({ worker }) => worker.id === message.by)
      if (target) send(target, message)
    }
  })
}

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
