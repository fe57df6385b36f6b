import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { PROJECT_ROOT } from '../../../server/cli/kit/project'
import type { Machine } from './machine'

const CALLER = path.join(PROJECT_ROOT, 'tests/production/containers/caller.mjs')

/** The service as Compose runs it. */
export type Compose = {
  machine: Machine
  /** Where the repository is checked out. */
  folder: string
  /** Runs `docker compose` and returns what it printed. */
  compose: (args: readonly string[], input?: string) => Promise<string>
  /** An operator's command; returns what it says with --json. */
  admin: (args: readonly string[], input?: string) => Promise<Record<string, string>>
}

/** The last commit as an operator clones it, with settings that need no account anywhere. */
export async function checkOut(machine: Machine): Promise<Compose> {
  const folder = path.join(machine.folder, 'tollgate')
  await machine.run('git', ['clone', '-q', '--depth', '1', `file://${PROJECT_ROOT}`, folder])
  await machine.run('sh', ['deploy/compose/make-env.sh'], { cwd: folder })
  appendFileSync(path.join(folder, '.env'), 'UPSTREAMS=sandbox\nTOLLGATE_PACK_OPTIONS=--with-sandbox\n')
  const compose: Compose['compose'] = (args, input) =>
    machine.run('docker', ['compose', ...args], { cwd: folder, input })
  const admin: Compose['admin'] = async (args, input) =>
    JSON.parse(await compose(['run', '--rm', '-T', 'admin', ...args, '--json'], input))
  return { machine, folder, compose, admin }
}

/** Calls through the proxy while `work` goes on. Returns what their clients saw. */
export async function callDuring({ machine }: Compose, key: string, work: () => Promise<unknown>) {
  const [command = '', ...words] = machine.inNetwork
  // The certificate is of Caddy's own authority.
  const env = { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  const caller = spawn(command, [...words, process.execPath, CALLER, 'https://localhost', key], { env })
  const ended = once(caller, 'exit')
  const printed = text(caller.stdout)
  try {
    await work()
    await sleep(3_000)
  } finally {
    caller.kill('SIGTERM')
    await ended
  }
  return JSON.parse(await printed) as { calls: number; credits: number; failures: string[] }
}

/** The status of the proxy's answer; 0 where nothing answers. */
export const statusOf = async ({ machine }: Compose): Promise<number> => {
  const [command = '', ...words] = machine.inNetwork
  const script = "fetch('https://localhost/readyz').then((r) => console.log(r.status), () => console.log(0))"
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' }
  return Number(await machine.run(command, [...words, process.execPath, '-e', script], { env }))
}
