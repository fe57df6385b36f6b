import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Env } from '../../env'
import { log } from '../../kit/log'

const answers = (url: string) =>
  fetch(`${url}/healthz`, { signal: AbortSignal.timeout(1_000) }).then(
    (res) => res.ok,
    () => false,
  )

/**
 * Where a provider is simulated: starts the sandbox as its own process where nothing answers yet.
 */
export async function startSandboxProcess({ usesSandbox, SANDBOX_URL }: Env): Promise<ChildProcess | null> {
  if (!usesSandbox || (await answers(SANDBOX_URL))) return null
  const entry = path.join(import.meta.dirname, 'sandbox.js')
  if (!existsSync(entry)) return null
  // In a separate group, with a parent watchdog: a signal to our group must not end it while calls
  // need it.
  const parentWatchdog = path.join(import.meta.dirname, 'parent-watchdog.js')
  const child = spawn(process.execPath, ['--import', parentWatchdog, entry], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.unref()
  child.channel?.unref()
  for (let attempts = 0; attempts < 100 && child.exitCode === null; attempts++) {
    if (await answers(SANDBOX_URL)) return child
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  log.error({ url: SANDBOX_URL }, 'the sandbox does not answer')
  return child
}
