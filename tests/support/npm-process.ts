import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { onTermination } from './on-termination'
import { pollUntil } from './poll-until'
import { takePort } from './ports'
import { signalProcess } from './process-table'

/** One npm command of a test, with everything it starts, in a separate process group. */
export type NpmCommand = {
  /** npm itself, which leads the group. */
  npm: ChildProcess
  /** Where a web process listens. */
  url: string
  /** The pid of the server, at the end of the chain npm → launcher → server. */
  server: () => number
  log: () => string
  /** The exit code of npm, once it and the server have ended; null when a signal ended npm. */
  ended: Promise<number | null>
}

const isAlive = (pid: number) => existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

/** The process of a group whose command line names a file. */
function findInGroup(group: number, file: string): number | undefined {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const found = pids.find((pid) => {
    try {
      const [, , groupOf] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      return Number(groupOf) === group && command.some((word) => word.endsWith(file))
    } catch {
      return false
    }
  })
  return found === undefined ? undefined : Number(found)
}

/** The launcher's command line names the entry too, behind its own. */
const serverIn = (group: number, entry: string): number | undefined => {
  const pid = findInGroup(group, `dist/${entry}.js`)
  if (pid === undefined) return undefined
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const below = children.map(Number).find((child) => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(`dist/${entry}.js`)
    } catch {
      return false
    }
  })
  return below ?? pid
}

/** By default commands run a process per core. */
const ONE_PROCESS = { WEB_CONCURRENCY: '1', WORKER_CONCURRENCY: '1' }

/**
 * Runs `npm start` or `npm run worker` over this test run's database and waits until it serves.
 * With `folder`, what is installed there runs as systemd starts it: without npm.
 */
export async function startNpmCommand(
  entry: 'web' | 'worker',
  env: Record<string, string> = {},
  folder?: string,
): Promise<NpmCommand> {
  if (!existsSync(path.join(PROJECT_ROOT, 'dist', `${entry}.js`))) throw new Error('Run npm run build first.')
  const port = await takePort()
  const command = folder
    ? [process.execPath, path.join(folder, 'server', 'cli', 'run.mjs'), entry]
    : ['npm', 'run', '--silent', entry === 'web' ? 'start' : entry]
  const npm = spawn(command[0] ?? '', command.slice(1), {
    cwd: folder ?? PROJECT_ROOT,
    env: { ...process.env, ...ONE_PROCESS, NODE_ENV: 'production', PORT: String(port), LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const group = npm.pid ?? 0
  onTermination(() => signalProcess(-group, 'SIGKILL'))
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) {
    stream?.on('data', (data) => {
      output += data
    })
  }
  const npmEnded = new Promise<number | null>((resolve) => {
    npm.once('exit', (code) => resolve(code))
  })
  const url = `http://127.0.0.1:${port}`
  const isServing = () =>
    entry === 'worker'
      ? output.includes('worker started')
      : fetch(`${url}/readyz`).then(
          (r) => r.ok,
          () => false,
        )
  await pollUntil('the server', async () => npm.exitCode !== null || (await isServing()))
  if (npm.exitCode !== null) throw new Error(`npm ended:\n${output}`)
  const server = serverIn(group, entry)
  if (!server) throw new Error(`there is no ${entry} process:\n${output}`)
  const ended = npmEnded.then(async (code) => {
    await pollUntil('the end of the server', () => !isAlive(server))
    return code
  })
  return { npm, url, server: () => server, log: () => output, ended }
}

/** The process group of a command. */
export const processGroupOf = ({ npm }: NpmCommand): number => -(npm.pid ?? 0)

/** Ends whatever is left of a command, at once. */
export const killGroup = (command: NpmCommand): void => signalProcess(processGroupOf(command), 'SIGKILL')
