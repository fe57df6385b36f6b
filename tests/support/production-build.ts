import { existsSync } from 'node:fs'
import path from 'node:path'
import { type ChildProcessEntry, childExitError, endProcesses, startChildProcess } from '../../server/cli/children'
import { CliError, PROJECT_ROOT } from '../../server/cli/kit/project'
import { waitUntilServerReady } from '../../server/cli/wait-until-ready'

const PARTS = ['dist/web.js', 'dist/worker.js', 'dist/sandbox.js', '.next/BUILD_ID']

/** The production build in progress. `death` rejects when one of its processes ends by itself. */
export type ProductionRun = { death: Promise<never>; stop: () => Promise<void> }

/** Throws unless `npm run build` has run. */
export function requireBuild(): void {
  if (!PARTS.every((part) => existsSync(path.join(PROJECT_ROOT, part)))) throw new CliError('Run npm run build first.')
}

/**
 * Starts the sandbox, then web and worker, with the settings of `env`. Their logs are in the data
 * folder, with `logPrefix` before their names. `stop` ends those that have started.
 */
export function startProduction(env: NodeJS.ProcessEnv, logPrefix: string): ProductionRun {
  const children: ChildProcessEntry[] = []
  let isStopping = false
  const start = async (name: string): Promise<never> => {
    const child = startChildProcess(name, env, { logName: `${logPrefix}-${name}` })
    children.push(child)
    throw childExitError(child, await child.ended)
  }
  const run = async (): Promise<never> => {
    const sandboxDeath = start('sandbox')
    await Promise.race([waitUntilServerReady(`${env.SANDBOX_URL}/healthz`), sandboxDeath])
    if (isStopping) return sandboxDeath
    return Promise.race([sandboxDeath, start('web'), start('worker')])
  }
  const death = run()
  death.catch(() => {})
  const stop = () => {
    isStopping = true
    return endProcesses(
      children.map((child) => child.process),
      5_000,
    )
  }
  return { death, stop }
}
