import { existsSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { endProcesses } from './children'
import { identifyProcess, isProcessAlive, type ProcessIdentity } from './kit/process'
import { CliError, dataPath } from './kit/project'
import { writePrivateFile } from './kit/settings'

type RunRecord = { launcher: ProcessIdentity | null; url: string; children: ProcessIdentity[] }

const file = () => dataPath('run.json')

function readRecord(): RunRecord | null {
  try {
    return JSON.parse(readFileSync(file(), 'utf8')) as RunRecord
  } catch {
    return null
  }
}

/** Writes down who runs, so that the next start finds what a killed one left behind. */
export const writeRunRecord = (url: string, children: ProcessIdentity[]): void =>
  writePrivateFile(
    file(),
    JSON.stringify({ launcher: identifyProcess(process.pid), url, children } satisfies RunRecord),
  )

export const removeRunRecord = (): void => rmSync(file(), { force: true })

/**
 * Ends what a killed start left running. Throws a CliError when the former start is alive: two
 * would share all data.
 */
export async function endPreviousRun(patienceMs = 5_000): Promise<void> {
  if (!existsSync(file())) return
  for (let waited = 0; waited < patienceMs; waited += 100) {
    const launcher = readRecord()?.launcher
    if (!launcher || !isProcessAlive(launcher)) break
    await sleep(100)
  }
  const record = readRecord()
  if (record?.launcher && isProcessAlive(record.launcher)) {
    throw new CliError(`Tollgate already runs here: ${record.url} (process ${record.launcher.pid}). Stop it first.`)
  }
  await endProcesses(record?.children ?? [], 2_000)
  removeRunRecord()
}
