// npm run quickstart as the process it starts, once everything is built.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { pollUntil } from '../support/poll-until'
import { takePort } from '../support/ports'

const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-quickstart-'))
// Else root would keep the database elsewhere, for the user it runs it as.
chmodSync(folder, 0o711)

let url: string
let quickstart: ChildProcess
let printed = ''
beforeAll(async () => {
  const port = String(await takePort())
  url = `http://127.0.0.1:${port}`
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: 'production',
    PATH: process.env.PATH,
    UPSTREAMS: 'sandbox',
    DATA_DIR: folder,
    PORT: port,
  }
  quickstart = spawn(process.execPath, [path.join(PROJECT_ROOT, 'dist', 'quickstart.js')], { cwd: PROJECT_ROOT, env })
  for (const stream of [quickstart.stdout, quickstart.stderr]) stream?.on('data', (text) => (printed += text))
  await pollUntil('the quickstart', () => {
    if (quickstart.exitCode !== null) throw new Error(printed)
    return printed.includes('Tollgate is ready')
  })
})
afterAll(async () => {
  if (quickstart.exitCode === null && quickstart.kill('SIGTERM')) await once(quickstart, 'exit')
  rmSync(folder, { recursive: true, force: true })
})

/** The processes that run now, in the order of their first start. */
const pids = (): number[] =>
  (JSON.parse(readFileSync(path.join(folder, 'run.json'), 'utf8')).children as { pid: number }[]).map(({ pid }) => pid)

const isReady = () =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

test.each([
  ['sandbox', 0],
  ['web', 1],
  ['worker', 2],
] as const)('%s is started again when it is killed, and the others go on', async (name, at) => {
  const before = pids()
  process.kill(before[at] ?? 0, 'SIGKILL')
  await pollUntil('a successor', () => pids()[at] !== before[at])
  expect(pids().toSpliced(at, 1)).toEqual(before.toSpliced(at, 1))
  await pollUntil('service', isReady)
  expect(printed).toContain(`${name} was ended by SIGKILL and is started again; its log is`)
})

test('a stop ends all of them', async () => {
  const running = pids()
  quickstart.kill('SIGTERM')
  expect(await once(quickstart, 'exit')).toEqual([0, null])
  for (const pid of running) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})
