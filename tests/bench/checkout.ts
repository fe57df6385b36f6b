import { execFile, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { OWNER_ROLE } from '../../server/cli/embedded/roles'
import { findFreePort } from '../../server/cli/kit/ports'
import { endProcess, identifyProcess } from '../../server/cli/kit/process'
import { CliError, PROJECT_ROOT } from '../../server/cli/kit/project'
import { waitUntilServerReady } from '../../server/cli/wait-until-ready'
import { makeEmptyDatabase, superuserUrlOf } from '../support/database'
import { queryOnce } from '../support/query-once'

const run = promisify(execFile)

/** The production server of a checkout, over a database of its own. */
export type Checkout = { name: string; pid: number; url: string; key: string; stop: () => Promise<void> }

/**
 * Starts the built server of a checkout, be it this one or another, on the database server of this
 * bench: its own code migrates its database and makes its key. `given` are settings for all.
 */
export async function startCheckout(name: string, folder: string, given: Record<string, string>): Promise<Checkout> {
  for (const file of ['dist/web.js', 'dist/migrate.js', 'node_modules/tsx']) {
    if (!existsSync(path.join(folder, file)))
      throw new CliError(`${folder} has no ${file}: it needs npm ci and a build`)
  }
  const database = await makeEmptyDatabase()
  // Migrations of checkouts before d17b8b1a set it, which an ordinary role may not.
  await queryOnce(superuserUrlOf(database.url), `GRANT SET ON PARAMETER "tollgate.counts_calls" TO ${OWNER_ROLE}`)
  const data = mkdtempSync(path.join(tmpdir(), 'tollgate-bench-'))
  const port = await findFreePort(3_500)
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    ...given,
    DATABASE_URL: database.url,
    DATA_DIR: data,
    PORT: String(port),
    PUBLIC_URL: url,
  }
  const removeData = async () => {
    rmSync(data, { recursive: true, force: true })
    await database.drop()
  }
  try {
    await run(process.execPath, [path.join(folder, 'dist', 'migrate.js')], { cwd: folder, env })
    const seed = path.join(PROJECT_ROOT, 'tests', 'bench', 'seed-checkout.ts')
    const { stdout } = await run(process.execPath, ['--import', 'tsx', seed, folder], { cwd: folder, env })
    const log = path.join(data, 'web.log')
    const web = await startBuilt(folder, log, env)
    const stop = async () => {
      await web.end()
      await removeData()
    }
    try {
      await waitUntilServerReady(`${url}/readyz`)
    } catch (error) {
      process.stderr.write(readFileSync(log, 'utf8'))
      await stop()
      throw error
    }
    return { name, pid: web.pid, url, key: stdout.trim(), stop }
  } catch (error) {
    await removeData()
    throw error
  }
}

/**
 * Node's options for a checkout's web process: its own, as they decide what a call costs, and what
 * ends it with this process, if it has that. Checkouts before 95c1d9fc have no list of options and
 * start with source maps.
 */
async function serviceOptions(folder: string): Promise<string[]> {
  const root = pathToFileURL(path.join(folder, 'server', 'cli', 'setup', 'root.mjs'))
  const { SERVICE_OPTIONS = ['--enable-source-maps'] } = (await import(root.href)) as { SERVICE_OPTIONS?: string[] }
  const watchdog = path.join(folder, 'dist', 'parent-watchdog.js')
  return existsSync(watchdog) ? [...SERVICE_OPTIONS, '--import', watchdog] : SERVICE_OPTIONS
}

/** Starts the web process of a checkout as its own `npm start` would, with its output in `log`. */
async function startBuilt(folder: string, log: string, env: NodeJS.ProcessEnv) {
  const options = await serviceOptions(folder)
  const output = openSync(log, 'w')
  const child = spawn(process.execPath, [...options, path.join(folder, 'dist', 'web.js')], {
    cwd: folder,
    env: { ...env, NODE_ENV: 'production' },
    stdio: ['ignore', output, output, 'ipc'],
  })
  closeSync(output)
  const started = identifyProcess(child.pid ?? 0)
  if (!started) throw new CliError(`The web process of ${folder} did not start`)
  const end = () =>
    endProcess(started, [
      ['SIGTERM', 5_000],
      ['SIGKILL', 5_000],
    ])
  return { pid: started.pid, end }
}
