import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pollUntil } from '../../../tests/support/poll-until'
import { runEntry } from './run-entry'

let folder: string
const concurrency = process.env.WEB_CONCURRENCY
beforeAll(() => {
  process.env.WEB_CONCURRENCY = '1'
  folder = mkdtempSync(path.join(tmpdir(), 'tollgate-entry-'))
})
afterAll(() => {
  if (concurrency === undefined) delete process.env.WEB_CONCURRENCY
  else process.env.WEB_CONCURRENCY = concurrency
  rmSync(folder, { recursive: true })
})

/** Starts a script that stays up, and waits until it has come to its end. */
async function start(entry: string, line: string) {
  const [file, noted] = [path.join(folder, `${entry}.js`), path.join(folder, `${entry}.pid`)]
  const note = `require('node:fs').writeFileSync(${JSON.stringify(noted)}, String(process.pid))`
  writeFileSync(file, ['setInterval(() => {}, 1_000)', line, note].join('\n'))
  rmSync(noted, { force: true })
  const running = await runEntry(entry, [file])
  const pid = () => Number(readFileSync(noted, 'utf8'))
  await pollUntil('the process', () => {
    try {
      return pid() > 0
    } catch {
      return false
    }
  })
  return { ...running, pid: pid() }
}

const READY = "process.send({ kind: 'ready' })"

describe('one process that serves and is asked to stop', () => {
  test('before it listens for that, is no failure', async () => {
    const { stop, ended } = await start('web', '')
    stop()
    expect(await ended).toBe(0)
  })

  test('fails when it does not end well', async () => {
    const { stop, ended } = await start('web', `process.on('SIGTERM', () => process.exit(3)); ${READY}`)
    stop()
    expect(await ended).toBe(1)
  })

  test('fails when it is killed meanwhile', async () => {
    const { stop, ended, pid } = await start('web', `process.on('SIGTERM', () => {}); ${READY}`)
    stop()
    process.kill(pid, 'SIGKILL')
    expect(await ended).toBe(1)
  })
})

describe('one process that serves and ends by itself', () => {
  test('ends its command with its own code', async () => {
    const { ended } = await start('web', `setTimeout(() => process.exit(70), 200); ${READY}`)
    expect(await ended).toBe(70)
  })

  test('ends its command when it is killed', async () => {
    const { ended, pid } = await start('web', READY)
    process.kill(pid, 'SIGKILL')
    expect(await ended).toBe(130)
  })
})

test('a command that is ended by a signal fails', async () => {
  const { stop, ended } = await start('migrate', '')
  stop()
  expect(await ended).toBe(130)
})
