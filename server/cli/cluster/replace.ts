import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '../../kit/log'
import type { SiblingMessage } from '../../kit/siblings'
import type { SupervisedProcess } from './fork'
import { type GroupState, startProcess } from './group'
import { endOrKill } from './patience'
import type { SettingsReading } from './reading'

/** How long the next slot waits for a former process: most have nothing to finish. */
const LEAVE_SOON_MS = 3_000
/** So many processes that finish their calls, for each that serves, may be there at once. */
const MAX_LEAVING = 2
/** A process that does not start with settings that others serve with is tried again. */
const TRIES = 3

/**
 * Replaces the processes of a group one by one with those of another reading of the settings: each
 * serves before the former stops listening, and the former finish their calls as they began them.
 * Where the first does not come to serve, as with a wrong setting, nothing is replaced, and
 * processes that are started later get the former settings. Returns why, or null.
 */
export async function replaceProcesses(group: GroupState, next: SettingsReading): Promise<string | null> {
  const { entry, count, stopping, reading: former } = group
  log.info({ entry, processes: count }, 'replacing the processes one by one')
  await untilFewLeave(group)
  for (let slot = 1; slot <= count; slot++) {
    group.reading = next
    const problem = await replaceIn(group, slot, slot === 1 ? 1 : TRIES)
    if (stopping.signal.aborted) return 'The service is being stopped.'
    if (problem === null) continue
    if (slot === 1) group.reading = former
    return problem
  }
  log.info({ entry, processes: count, settings: next.version }, 'processes replaced')
  return null
}

async function replaceIn(group: GroupState, slot: number, tries: number): Promise<string | null> {
  const { entry, slots, stopping, leaveMs } = group
  const next = startProcess(group, slot)
  const isServing = await next.ready
  if (stopping.signal.aborted) return null
  if (!isServing) {
    if (tries > 1) return replaceIn(group, slot, tries - 1)
    log.error({ entry, process: slot }, 'a process did not start: the others are not replaced')
    return next.problems.join('\n') || 'A process did not start: its reason is in the log.'
  }
  const former = slots.get(slot)
  slots.set(slot, next)
  if (former) await Promise.race([leave(former, leaveMs), sleep(LEAVE_SOON_MS)])
  return null
}

/** Has a process finish its calls and end. A frozen one is killed in the end. */
async function leave(former: SupervisedProcess, leaveMs: number): Promise<void> {
  former.isLeaving = true
  const message: SiblingMessage = { kind: 'leave' }
  former.worker.send(message, () => {})
  await endOrKill({ process: former.worker.process, ended: former.ended, leaveMs })
}

/** Each has connections and memory: replaced again and again, they would use up both. */
async function untilFewLeave({ alive, count }: GroupState): Promise<void> {
  for (;;) {
    const leaving = [...alive].filter(({ isLeaving }) => isLeaving)
    if (leaving.length <= MAX_LEAVING * count) return
    await Promise.race(leaving.map(({ ended }) => ended))
  }
}
