import { log } from '../../kit/log'
import type { SettingsOutcome, SiblingMessage } from '../../kit/siblings'
import { settingsFile } from '../kit/config-folder'
import { CliError } from '../kit/project'
import type { GroupState } from './group'
import { changedSettings, type SettingsReading } from './reading'
import { replaceProcesses } from './replace'

/** Asks for the settings to be read again: an operator's request by its id, or a signal. */
export type Reload = (request?: { id: string; ageMs: number }) => void

const REFUSED = 'settings refused: the former ones are kept'
const NOT_IN_ALL = 'settings read again, but some processes keep the former ones'

/**
 * Makes what reads the settings of a group again, one time after another: processes with the new
 * ones take the place of the others. Every process of the group reports a request; what was asked
 * before the last reading has its answer.
 */
export function makeReload(group: GroupState): Reload {
  let waiting: Set<string> | null = null
  let isRunning = false
  let readMs = performance.now()
  const answered = new Set<string>()
  const run = async () => {
    isRunning = true
    while (waiting && !group.stopping.signal.aborted) {
      const requests = [...waiting]
      waiting = null
      readMs = performance.now()
      reportTo(group, await reload(group, requests))
    }
    isRunning = false
  }
  return (request) => {
    if (group.stopping.signal.aborted) return
    if (request && (answered.has(request.id) || request.ageMs > performance.now() - readMs)) return
    waiting ??= new Set()
    if (request) {
      answered.add(request.id)
      waiting.add(request.id)
    }
    if (!isRunning) void run()
  }
}

async function reload(group: GroupState, requests: string[]): Promise<SettingsOutcome> {
  const { entry, id: launcher, reading: former } = group
  const next = readOrProblem(group)
  const isRead = typeof next !== 'string'
  const changed = isRead ? changedSettings(former, next) : []
  const problem = isRead ? await replaceProcesses(group, next) : next
  const { version, env } = group.reading
  const files = { settings: settingsFile(), models: env.MODELS_FILE }
  if (problem === null) log.info({ entry, changed, version, ...files }, 'settings read again')
  else if (!group.stopping.signal.aborted)
    log.error({ entry, problem, changed, ...files }, group.reading === former ? REFUSED : NOT_IN_ALL)
  return { requests, launcher, problem, changed, version }
}

function readOrProblem({ readAgain }: GroupState): SettingsReading | string {
  try {
    return readAgain()
  } catch (error) {
    if (error instanceof CliError) return error.message
    throw error
  }
}

/** Has a process that serves write down what came of it: a launcher has no database. */
function reportTo({ slots }: GroupState, outcome: SettingsOutcome): void {
  const message: SiblingMessage = { kind: 'outcome', outcome }
  const serving = [...slots.values()].find(({ isReady, worker }) => isReady && worker.isConnected())
  serving?.worker.send(message, () => {})
}
