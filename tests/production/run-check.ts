import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CliError } from '../../server/cli/kit/project'
import { closeDb } from '../../server/db'
import { requireBuild } from '../support/production-build'
import type { ProductionCheck } from './check'
import { type Daemon, type DaemonCommand, startDaemonIn } from './daemon'
import { missingPackages } from './debian'

type Ending = () => Promise<void> | void

/** What to end when a run is interrupted. */
const endings: Ending[] = []

/** Ends everything that the running check has started, the newest first. */
export async function endCheck(): Promise<void> {
  for (let work = endings.pop(); work; work = endings.pop()) {
    try {
      await work()
    } catch (error) {
      process.stderr.write(`while ending: ${error instanceof Error ? error.message : error}\n`)
    }
  }
}

/** Runs one check and ends everything that it has started. Throws when the check does. */
export async function runCheck(check: ProductionCheck, say: (line: string) => void): Promise<void> {
  const missing = missingPackages(check.needs)
  if (missing.length > 0) throw new CliError(`cannot run here: apt-get install ${missing.join(' ')}`)
  if (check.needsBuild) requireBuild()
  const folder = mkdtempSync(path.join(tmpdir(), `tollgate-${check.name}-`))
  chmodSync(folder, 0o755)
  if (!process.env.KEEP_LOGS) endings.push(() => rmSync(folder, { recursive: true, force: true }))
  const startDaemon = (command: DaemonCommand): Promise<Daemon> =>
    startDaemonIn(folder, command, ({ stop }) => endings.push(stop))
  try {
    await check.run({ folder, say, startDaemon, onEnd: (work) => endings.push(work) })
  } finally {
    await closeDb()
    await endCheck()
  }
}
