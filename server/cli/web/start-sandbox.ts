import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Env } from '../../env'
import { log } from '../../kit/log'

const NO_SANDBOX =
  'the simulated providers are not in this folder: pack it with --with-sandbox, or set UPSTREAMS=live and a provider'

const answers = (url: string) =>
  fetch(`${url}/healthz`, { signal: AbortSignal.timeout(1_000) }).then(
    (res) => res.ok,
    () => false,
  )

/**
 * Where a provider is simulated: starts the sandbox as its own process where nothing answers yet.
 * Our processes are in `folder`; one that was packed without the sandbox says so.
 */
export async function startSandboxProcess(
  { usesSandbox, SANDBOX_URL }: Pick<Env, 'usesSandbox' | 'SANDBOX_URL'>,
  folder = import.meta.dirname,
): Promise<ChildProcess | null> {
  if (!usesSandbox || (await answers(SANDBOX_URL))) return null
  const entry = path.join(folder, 'sandbox.js')
  if (!existsSync(entry)) {
    // From the sources, the command that starts this runs the sandbox beside it.
    if (existsSync(path.join(folder, 'web.js'))) log.error({ url: SANDBOX_URL }, NO_SANDBOX)
    return null
  }
  // In a separate group, with a parent watchdog: a signal to our group must not end it while calls
  // need it.
  const parentWatchdog = path.join(folder, 'parent-watchdog.js')
  const child = spawn(process.execPath, ['--import', parentWatchdog, entry, '--if-free'], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.unref()
  child.channel?.unref()
  for (let attempts = 0; attempts < 100 && child.exitCode === null; attempts++) {
    if (await answers(SANDBOX_URL)) return child
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  // Another process of this service was faster.
  if (await answers(SANDBOX_URL)) return null
  log.error(
    { url: SANDBOX_URL },
    'the sandbox does not answer: what listens there is something else, or it did not start',
  )
  return child
}
