// The second half of npm run dev: web, worker and sandbox over the embedded database. A change of
// the server is bundled and loaded at once; a change of pages and components is reloaded by Next.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { developmentBundle, watchBundles } from './bundle-watch'
import { choosePort, chooseSandbox, LOOPBACK } from './choose-ports'
import { openCommandDatabase, printDatabase } from './embedded/command-database'
import { CliError, PROJECT_ROOT, runMain } from './kit/project'
import { checkSettings, loadSettings } from './kit/settings'
import { listenForStop } from './kit/stop-signal'
import { deployMigrations } from './migrations/deploy'

/** Starts a command in its own process group and prints its lines, each after its name. */
function start(name: string, args: string[]): ChildProcess {
  const child = spawn(process.execPath, args, {
    cwd: PROJECT_ROOT,
    env: { ...process.env, NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  for (const stream of [child.stdout, child.stderr]) {
    if (stream)
      createInterface({ input: stream }).on('line', (line) => process.stdout.write(`${name.padEnd(8)}${line}\n`))
  }
  return child
}

const startBundle = (entry: 'web' | 'worker' | 'sandbox') =>
  start(entry, ['--enable-source-maps', developmentBundle(entry)])

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || !child.pid) return
  const ended = once(child, 'exit')
  process.kill(-child.pid, 'SIGTERM')
  const killer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), 5_000)
  await ended
  clearTimeout(killer)
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
  const restartable = new Map<'worker' | 'sandbox', ChildProcess>()
  let web: ChildProcess | undefined
  const stopWatching = await watchBundles(async (changed) => {
    if (changed.has('web-server')) web?.send('reload')
    for (const [entry, child] of restartable) {
      if (!changed.has(entry)) continue
      await end(child)
      restartable.set(entry, startBundle(entry))
    }
  })
  try {
    await deployMigrations(database.ownerUrl)
    if (needsSandbox) restartable.set('sandbox', startBundle('sandbox'))
    restartable.set('worker', startBundle('worker'))
    web = startBundle('web')
    const webEnded = once(web, 'exit').then(([code]) => {
      throw new CliError(`The web process ended with exit code ${code}`)
    })
    await Promise.race([stop.asked, webEnded])
    return 0
  } finally {
    await stopWatching()
    await Promise.all([...restartable.values(), ...(web ? [web] : [])].map(end))
    await database.release()
  }
})
