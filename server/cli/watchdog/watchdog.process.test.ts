import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, afterEach, expect, test } from 'vitest'
import { pollUntil } from '../../../tests/support/poll-until'
import { closeDb, mainPool } from '../../db'

let running: ChildProcess[] = []
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running = []
})
afterAll(closeDb)

const FIXTURE = 'tests/support/stalling-process.ts'

/** Starts a process with a watchdog, and keeps what it says. */
async function start(act: string, stallMs = 1_500) {
  const [holder, witness] = [randomUUID(), randomUUID()]
  const child = spawn(process.execPath, ['--import', 'tsx', FIXTURE, act, holder, witness, String(stallMs)])
  running.push(child)
  const ended = once(child, 'exit')
  const said = { out: '', err: '' }
  child.stdout.on('data', (data) => {
    said.out += data
  })
  child.stderr.on('data', (data) => {
    said.err += data
  })
  await pollUntil('the process', () => said.out.includes('started'))
  return { child, said, holder, witness, ended }
}

const leaseOf = async (holder: string): Promise<Date | undefined> =>
  (await mainPool().query('SELECT lease_until FROM holder WHERE id = $1', [holder])).rows[0]?.lease_until

test.each(['spin', 'backtrack'])(
  'a process whose loop stands still (%s) is ended with a report, after the stall was recorded',
  async (act) => {
    const { said, ended, witness } = await start(act)
    expect(await ended).toEqual([70, null])
    const [line = ''] = said.err.split('\n').filter((text) => text.includes('stands still'))
    const report = JSON.parse(line) as { stalledMs: number; stack: string[] }
    expect(report.stalledMs).toBeGreaterThanOrEqual(1_500)
    if (act === 'spin') expect(report.stack[0]).toMatch(/^spinWithoutEnd .*stalling-process/)
    expect(await leaseOf(witness)).toBeInstanceOf(Date)
  },
  120_000,
)

test('the lease of a busy process is renewed', async () => {
  const { holder, said } = await start('spin', 60_000)
  const first = await pollUntil('a lease', () => leaseOf(holder))
  const renewed = await pollUntil('another', async () => ((await leaseOf(holder)) ?? first) > first)
  expect(renewed).toBe(true)
  expect(said.out.length).toBeLessThan(500)
})

test('a process that was stopped and goes on is not ended for it', async () => {
  const { child, said } = await start('turn')
  child.kill('SIGSTOP')
  await new Promise((resolve) => setTimeout(resolve, 4_000))
  const before = said.out.length
  child.kill('SIGCONT')
  await pollUntil('turns', () => said.out.length > before + 60)
  expect(child.exitCode).toBeNull()
  expect(said.err).toBe('')
})

test('one that is stopped in order ends by itself', async () => {
  const { ended } = await start('stop')
  expect(await ended).toEqual([0, null])
})
