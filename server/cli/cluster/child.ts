import cluster from 'node:cluster'
import { log } from '../../kit/log'
import { processRegistry } from '../../kit/metrics/registry'
import { shareMetrics } from '../../kit/sibling-metrics'
import { joinSiblings, sendToLauncher } from '../../kit/siblings'

/** The variable in which a launcher gives each of several processes its number. */
export const SLOT_VARIABLE = 'TOLLGATE_PROCESS'

/** Makes this process one of its launcher's, where that runs several. The first thing it does. */
export function joinLauncher(): void {
  const slot = Number(process.env[SLOT_VARIABLE])
  delete process.env[SLOT_VARIABLE]
  if (!cluster.worker || !slot) return
  joinSiblings(slot)
  shareMetrics(processRegistry)
  log.setBindings({ process: slot })
}

/** Says to the launcher that this process serves. */
export const reportReady = (): void => sendToLauncher({ kind: 'ready' })

/**
 * Has this process outlive its launcher, to finish what is in progress: Node ends a cluster's
 * workers at once. From here on the process notices by itself that its launcher has ended.
 */
export function surviveLauncher(): void {
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
}
