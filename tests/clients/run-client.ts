import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export type ProgramRun = { code: number | null; stdout: string; stderr: string }

const FENCE = path.join(import.meta.dirname, 'fence.mjs')

/** Longest run of a client, milliseconds. */
const MAX_RUN_MS = 120_000

/** A home and a work folder of a client's own, removed by `remove`. */
export function makeClientFolders(): { home: string; work: string; remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-client-'))
  const home = mkdtempSync(path.join(folder, 'home-'))
  const work = mkdtempSync(path.join(folder, 'work-'))
  return { home, work, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/**
 * The environment of a client: nothing of this machine's settings, and every way to the internet
 * closed.
 */
export function clientEnvironment(home: string, more: Record<string, string>): NodeJS.ProcessEnv {
  const nowhere = 'http://127.0.0.1:9'
  return {
    PATH: process.env.PATH,
    HOME: home,
    TERM: 'dumb',
    NODE_ENV: 'production',
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    http_proxy: nowhere,
    https_proxy: nowhere,
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
    NODE_OPTIONS: `--import ${FENCE}`,
    ...more,
  }
}

/**
 * Runs a client's command to its end, with nothing of this machine's settings, and with every way
 * to the internet closed: only this machine can be reached.
 */
export function runClient(
  command: string,
  args: readonly string[],
  { home, work, env }: { home: string; work: string; env: Record<string, string> },
): Promise<ProgramRun> {
  const child = spawn(command, args, {
    cwd: work,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: MAX_RUN_MS,
    env: clientEnvironment(home, env),
  })
  const run: ProgramRun = { code: null, stdout: '', stderr: '' }
  child.stdout.on('data', (bytes) => {
    run.stdout += bytes
  })
  child.stderr.on('data', (bytes) => {
    run.stderr += bytes
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ ...run, code }))
  })
}
