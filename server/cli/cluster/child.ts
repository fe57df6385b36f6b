import cluster from 'node:cluster'
import { provideVersion } from '../../http/version'
import { setProcessKind } from '../../kit/connections'
import { log } from '../../kit/log'
import { processRegistry } from '../../kit/metrics/registry'
import { printJsonLines } from '../../kit/print-line'
import { shareMetrics } from '../../kit/sibling-metrics'
import { joinSiblings, sendToLauncher } from '../../kit/siblings'
import { readVersion } from '../version'
import { SLOT_VARIABLE } from './fork'

/**
 * Names this process, and makes it one of its launcher's where that runs several: its first act.
 */
export function joinLauncher(kind: 'web' | 'worker'): void {
  if (process.env.NODE_ENV === 'production') printJsonLines()
  setProcessKind(kind)
  provideVersion(readVersion())
  const [slot = 0, count = 1] = (process.env[SLOT_VARIABLE] ?? '').split('/').map(Number)
  delete process.env[SLOT_VARIABLE]
  if (!cluster.worker || !slot) return
  joinSiblings(slot, count)
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
