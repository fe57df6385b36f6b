import { log } from '../../kit/log'
import type { SiblingMessage } from '../../kit/siblings'
import type { SupervisedProcess } from './fork'
import { type GroupState, startProcess } from './group'
import { endOrKill } from './patience'

/**
 * Replaces the processes of a group one by one: the next one serves before the former stops
 * listening, and the former has finished its calls before another slot's turn comes. A successor
 * that does not come to serve, as with settings that became wrong, ends this: the rest stays.
 */
export async function replaceProcesses(group: GroupState): Promise<void> {
  const { entry, count, slots, stopping, leaveMs } = group
  log.info({ entry, processes: count }, 'replacing the processes one by one')
  for (let slot = 1; slot <= count; slot++) {
    const next = startProcess(group, slot)
    const isServing = await next.ready
    if (stopping.signal.aborted) return
    if (!isServing) return log.error({ entry, process: slot }, 'a process did not start: the others are not replaced')
    const former = slots.get(slot)
    slots.set(slot, next)
    if (former) await leave(former, leaveMs)
    if (stopping.signal.aborted) return
  }
  log.info({ entry, processes: count }, 'processes replaced')
}

/** Has a process finish its calls and end. A frozen one is killed in the end. */
async function leave(former: SupervisedProcess, leaveMs: number): Promise<void> {
  former.isLeaving = true
  const message: SiblingMessage = { kind: 'leave' }
  former.worker.send(message, () => {})
  await endOrKill({ process: former.worker.process, ended: former.ended, leaveMs })
}
