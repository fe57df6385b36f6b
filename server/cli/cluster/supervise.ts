import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '../../kit/log'
import type { SiblingMessage } from '../../kit/siblings'
import { type ProcessEnd, type SupervisedProcess, setUpProcesses } from './fork'
import { askToEnd, type GroupOptions, type GroupState, makeGroup, startProcess } from './group'
import { makeReload, type Reload } from './reload'
import { countFailures, MAX_FAILURES } from './restart-delay'

/** The exit code of a command whose only process was killed. */
const KILLED = 130

/** The processes of one command. */
export type ProcessGroup = {
  /** Resolves to the command's exit code, once all have ended. */
  ended: Promise<number>
  /** Has all of them finish what is in progress and end. More calls change nothing. */
  stop: () => void
  /** Reads the settings again, and replaces the processes one by one with such that have them. */
  reload: Reload
}

/**
 * Runs several processes of an entry. The first one is started alone: when it ends before it
 * serves, so would the others, and the command ends with its exit code, its reason printed once.
 * Each one that ends later is started again; the others go on meanwhile. Where it is the only one,
 * the command ends with it.
 */
export function superviseProcesses(options: GroupOptions): ProcessGroup {
  const group = makeGroup(options)
  setUpProcesses(options.entryArgs)
  const reload = makeReload(group)
  cluster.on('message', (_, message: SiblingMessage) => {
    if (message.kind === 'read-settings') reload({ id: message.request, ageMs: message.ageMs })
  })
  const stop = () => {
    if (group.stopping.signal.aborted) return
    group.stopping.abort()
    for (const started of group.alive) askToEnd(group, started)
  }
  return { ended: runAll(group, stop), stop, reload }
}

async function runAll(group: GroupState, stop: () => void): Promise<number> {
  const { entry, count, stopping } = group
  const first = startIn(group, 1)
  if (!(await first.ready)) {
    const { code } = await first.ended
    return stopping.signal.aborted ? exitCodeOf(group) : code || 1
  }
  const kept = Array.from({ length: count }, (_, i) => keepRunning(group, i + 1))
  const served = Array.from(group.slots.values(), ({ ready }) => ready)
  void Promise.all(served).then(() => log.info({ entry, processes: count, launcher: process.pid }, 'processes started'))
  const outcome = await Promise.race([Promise.all(kept), ...kept])
  if (typeof outcome === 'number') return outcome
  const hasGivenUp = outcome === 'given up'
  if (hasGivenUp) stop()
  await Promise.all(kept)
  while (group.alive.size > 0) await Promise.all(Array.from(group.alive, ({ ended }) => ended))
  return hasGivenUp ? 1 : exitCodeOf(group)
}

/** Of a group that was asked to stop, once all have ended. */
const exitCodeOf = ({ stopping, codes }: GroupState): number =>
  stopping.signal.aborted && codes.every((code) => code === 0) ? 0 : 1

function startIn(group: GroupState, slot: number): SupervisedProcess {
  const started = startProcess(group, slot)
  group.slots.set(slot, started)
  return started
}

/**
 * Keeps a process in a slot until the group stops, or until there is no use in it. Returns the exit
 * code of one that was the only one.
 */
async function keepRunning(group: GroupState, slot: number): Promise<'stopped' | 'given up' | number> {
  const { entry, count, slots, stopping, alive } = group
  const countEnd = countFailures()
  for (;;) {
    const current = slots.get(slot) ?? startIn(group, slot)
    const since = performance.now()
    const end = await current.ended
    if (stopping.signal.aborted) return 'stopped'
    // Replaced: its successor is the one to keep.
    if (slots.get(slot) !== current) continue
    slots.delete(slot)
    if (count === 1 && alive.size === 0) return end.code ?? KILLED
    const { failures, delayMs } = countEnd(performance.now() - since)
    // With no process serving, the command ends.
    if (failures >= MAX_FAILURES && ![...alive].some(({ isReady }) => isReady)) return 'given up'
    report(entry, slot, end)
    await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {})
    if (stopping.signal.aborted) return 'stopped'
  }
}

const report = (entry: string, slot: number, { code, signal }: ProcessEnd): void =>
  log.error({ entry, process: slot, code, signal }, 'a process ended and is started again')
