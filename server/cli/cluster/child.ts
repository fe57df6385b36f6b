import cluster from 'node:cluster'
import { provideVersion } from '../../http/version'
import { setProcessKind } from '../../kit/connections'
import { log } from '../../kit/log'
import { processRegistry } from '../../kit/metrics/registry'
import { printJsonLines } from '../../kit/print-line'
import { shareMetrics } from '../../kit/sibling-metrics'
import { type GivenSettings, joinSiblings, type SiblingMessage, sendToLauncher } from '../../kit/siblings'
import { provideModels } from '../../models/registry'
import { readVersion } from '../migrations/version'
import { SETTINGS_VARIABLE, SLOT_VARIABLE } from './fork'

/**
 * Names this process, takes the settings that its launcher read, and makes it one of several where
 * that runs them: its first act. Returns the settings; null where nothing launched it.
 */
export async function joinLauncher(kind: 'web' | 'worker'): Promise<GivenSettings | null> {
  if (process.env.NODE_ENV === 'production') printJsonLines()
  setProcessKind(kind)
  provideVersion(readVersion())
  const [slot = 0, count = 1] = (process.env[SLOT_VARIABLE] ?? '').split('/').map(Number)
  const isGivenSettings = cluster.worker && process.env[SETTINGS_VARIABLE]
  for (const name of [SLOT_VARIABLE, SETTINGS_VARIABLE]) delete process.env[name]
  const settings = isGivenSettings ? await settingsOfLauncher() : null
  if (settings?.models) provideModels(settings.models)
  if (!cluster.worker || !slot || count === 1) return settings
  joinSiblings(slot, count)
  shareMetrics(processRegistry)
  log.setBindings({ process: slot })
  return settings
}

const settingsOfLauncher = (): Promise<GivenSettings> =>
  new Promise((resolve) => {
    const take = (message: SiblingMessage) => {
      if (message.kind !== 'settings') return
      process.off('message', take)
      resolve(message.settings)
    }
    process.on('message', take)
  })

/** Says to the launcher that this process serves. */
export const reportReady = (): void => sendToLauncher({ kind: 'ready' })

/**
 * Ends this process, which has put everything away. Node may hang as it exits: the launcher, which
 * knows then that nothing is left to do, ends it.
 */
export function exitDone(code: number): void {
  const exit = () => process.exit(code)
  const message: SiblingMessage = { kind: 'done', code }
  if (process.send && process.connected) process.send(message, exit)
  else exit()
}

/**
 * Has this process outlive its launcher, to finish what is in progress: Node ends a cluster's
 * workers at once. From here on the process notices by itself that its launcher has ended.
 */
export function surviveLauncher(): void {
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
}
