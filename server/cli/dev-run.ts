// The second half of npm run dev: pages by Next, the rest by tsx, all reloading, over the embedded database.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { bundleThreads } from './bundle-threads.mjs'
import { choosePort, chooseSandbox, LOOPBACK } from './choose-ports'
import { openCommandDatabase, printDatabase } from './command-database'
import { deployMigrations } from './migrations/deploy'
import { CliError, PROJECT_ROOT, runMain } from './project'
import { checkSettings, loadSettings } from './settings'
import { listenForStop } from './stop-signal'

const bin = (...names: string[]) => path.join(PROJECT_ROOT, 'node_modules', ...names)

/** Starts a command in a group of its own and passes its lines on, each under its name. */
function start(name: string, args: string[]): ChildProcess {
  const child = spawn(process.execPath, args, { cwd: PROJECT_ROOT, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => process.stdout.write(`${name.padEnd(8)}${line}\n`))
  }
  return child
}

const watch = (name: string, file: string) =>
  start(name, [bin('tsx', 'dist', 'cli.mjs'), 'watch', '--clear-screen=false', file])

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || !child.pid) return
  const gone = once(child, 'exit')
  process.kill(-child.pid, 'SIGTERM')
  const sure = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), 5_000)
  await gone
  clearTimeout(sure)
}

await runMain(async () => {
  const stop = listenForStop()
  loadSettings()
  process.env.HOST ||= LOOPBACK
  checkSettings()
  const note = await choosePort(process.env)
  if (note) process.stdout.write(`${note}\n`)
  const needsSandbox = await chooseSandbox(process.env)
  const database = await openCommandDatabase(process.env)
  printDatabase(database)
  process.env.DATABASE_URL = database.url
  const children: ChildProcess[] = []
  try {
    await deployMigrations(database.ownerUrl)
    await bundleThreads()
    if (needsSandbox) children.push(watch('sandbox', 'server/sandbox/server.ts'))
    children.push(watch('worker', 'server/cli/worker.ts'))
    const web = start('web', [
      bin('next', 'dist', 'bin', 'next'),
      'dev',
      '-p',
      String(process.env.PORT),
      '-H',
      process.env.HOST,
    ])
    children.push(web)
    const webEnded = once(web, 'exit').then(([code]) => {
      throw new CliError(`next dev ended with exit code ${code}`)
    })
    await Promise.race([stop.asked, webEnded])
    return 0
  } finally {
    await Promise.all(children.map(end))
    await database.release()
  }
})
