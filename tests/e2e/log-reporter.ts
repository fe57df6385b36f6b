// Fails a run whose servers logged an error, from their start to the end of their shutdown.
import { existsSync, readFileSync } from 'node:fs'
import type { FullResult, Reporter } from '@playwright/test/reporter'
import { dataPath, displayPath } from '../../server/cli/kit/project'
import { findLogFaults } from '../support/log-faults'

const SERVERS = ['web', 'worker', 'sandbox']

export default class LogReporter implements Reporter {
  /** Runs once the web server is down: its log is complete. */
  async onEnd(): Promise<{ status: FullResult['status'] } | undefined> {
    const logs = SERVERS.map((name) => dataPath('logs', `e2e-${name}.log`)).filter((file) => existsSync(file))
    const faults = logs.flatMap((file) =>
      findLogFaults(readFileSync(file, 'utf8')).map((line) => `${displayPath(file)}: ${line}`),
    )
    if (faults.length === 0) return undefined
    process.stderr.write(`The servers logged errors:\n${faults.join('\n')}\n`)
    return { status: 'failed' }
  }

  printsToStdio(): boolean {
    return false
  }
}
