import { existsSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { endAll } from './children'
import { isAlive, nameOf, type ProcessName } from './process'
import { CliError, dataPath } from './project'
import { writePrivate } from './settings'

type RunRecord = { launcher: ProcessName | null; url: string; children: ProcessName[] }

const file = () => dataPath('run.json')

function readRecord(): RunRecord | null {
  try {
    return JSON.parse(readFileSync(file(), 'utf8')) as RunRecord
  } catch {
    return null
  }
}

/** Writes down who runs, so that the next start finds what a killed one left behind. */
export const writeRecord = (url: string, children: ProcessName[]): void =>
  writePrivate(file(), JSON.stringify({ launcher: nameOf(process.pid), url, children } satisfies RunRecord))

export const removeRecord = (): void => rmSync(file(), { force: true })

/** Ends what a killed start left running. Throws a CliError when the former start is alive: two would share all data. */
export async function endFormerRun(patienceMs = 5_000): Promise<void> {
  if (!existsSync(file())) return
  for (let waited = 0; waited < patienceMs; waited += 100) {
    const launcher = readRecord()?.launcher
    if (!launcher || !isAlive(launcher)) break
    await sleep(100)
  }
  const record = readRecord()
  if (record?.launcher && isAlive(record.launcher)) {
    throw new CliError(`Tollgate already runs here: ${record.url} (process ${record.launcher.pid}). Stop it first.`)
  }
  await endAll(record?.children ?? [], 2_000)
  removeRecord()
}
