import { hostname } from 'node:os'
import { countPendingSettlements } from '../../credits/pending-settlements'
import type { ProcessKind } from '../../kit/connections'
import { log } from '../../kit/log'
import { type GivenSettings, type SiblingMessage, sendToLauncher } from '../../kit/siblings'
import { noteProcess, type ProcessFacts } from '../../operators/processes'
import { lastSettingsRequest, nameOf, recordSettingsOutcome } from '../../operators/settings'
import { readVersion } from '../migrations/version'

/** How often a process looks whether an operator wants the settings read again. */
const LOOK_MS = 2_000
/** How often it says how it is. */
const NOTE_MS = 15_000

type Kind = Exclude<ProcessKind, 'command'>

/**
 * Writes down what this process is, how it is, and which settings it has, and does for its launcher
 * what needs a database: it passes operators' requests on, and writes down what came of them.
 * Resolves to what stops it. To be awaited before `reportReady`: a former process that leaves
 * before its successor is written down would leave its launcher unknown in between.
 */
export async function followSettings(kind: Kind, settings: GivenSettings | null): Promise<() => void> {
  const facts: ProcessFacts = {
    kind,
    host: hostname(),
    pid: process.pid,
    version: readVersion().version,
    launcher: settings?.launcher ?? null,
    settings: settings?.version ?? null,
    readAt: settings?.readAt ?? new Date().toISOString(),
    startedAt: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
    unwritten: 0,
    isLeaving: false,
  }
  const note = (isLeaving: boolean) =>
    noteProcess({ ...facts, unwritten: countPendingSettlements(), isLeaving }).catch((error: Error) =>
      log.warn({ err: error.message }, 'this process was not written down'),
    )
  await note(false)
  const heart = setInterval(note, NOTE_MS, false)
  heart.unref()
  const leave = () => {
    clearInterval(heart)
    void note(true)
  }
  if (!settings) return leave
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
    leave()
  }
}

async function passOnRequest(): Promise<void> {
  const asked = await lastSettingsRequest().catch(() => null)
  if (asked) sendToLauncher({ kind: 'read-settings', ...asked })
}
