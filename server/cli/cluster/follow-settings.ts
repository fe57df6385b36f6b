import { hostname } from 'node:os'
import type { ProcessKind } from '../../kit/connections'
import { log } from '../../kit/log'
import { type GivenSettings, type SiblingMessage, sendToLauncher } from '../../kit/siblings'
import { noteProcess, type ProcessFacts } from '../../operators/processes'
import { lastSettingsRequest, nameOf, recordSettingsOutcome } from '../../operators/settings'
import { readVersion } from '../migrations/version'

/** How often a process looks whether an operator wants the settings read again. */
const LOOK_MS = 2_000

type Kind = Exclude<ProcessKind, 'command'>

/**
 * Writes down which settings this process has, and does for its launcher what needs a database: it
 * passes operators' requests on, and writes down what came of them. Returns what stops it.
 */
export function followSettings(kind: Kind, settings: GivenSettings | null): () => void {
  const facts: ProcessFacts = {
    kind,
    host: hostname(),
    pid: process.pid,
    version: readVersion().version,
    launcher: settings?.launcher ?? null,
    settings: settings?.version ?? null,
    readAt: settings?.readAt ?? new Date().toISOString(),
    isLeaving: false,
  }
  const note = (isLeaving: boolean) =>
    noteProcess({ ...facts, isLeaving }).catch((error: Error) =>
      log.warn({ err: error.message }, 'the settings of this process were not written down'),
    )
  void note(false)
  if (!settings) return () => void note(true)
  const take = (message: SiblingMessage) => {
    if (message.kind !== 'outcome') return
    recordSettingsOutcome(message.outcome, nameOf(facts)).catch((error: Error) =>
      log.error({ ...message.outcome, err: error.message }, 'what came of reading the settings was not written down'),
    )
  }
  process.on('message', take)
  const timer = setInterval(passOnRequest, LOOK_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    void note(true)
  }
}

async function passOnRequest(): Promise<void> {
  const asked = await lastSettingsRequest().catch(() => null)
  if (asked) sendToLauncher({ kind: 'read-settings', ...asked })
}
