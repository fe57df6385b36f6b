import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pollUntil } from '../../../tests/support/poll-until'
import { log } from '../../kit/log'
import { processStartTime } from '../kit/process'
import { readSettingsOf } from './reading'
import { superviseProcesses } from './supervise'

let folder: string
beforeAll(() => {
  log.level = 'silent'
  folder = mkdtempSync(path.join(tmpdir(), 'tollgate-processes-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const READY = "process.send({ kind: 'ready' })"
const DEAF = "process.on('SIGTERM', () => {})"
const POLITE = "process.on('SIGTERM', () => process.exit(0))"

/** Runs two processes of a script that stays up. `pids` are those that have come to its end. */
function supervise(name: string, lines: readonly string[], leaveMs = 600_000) {
  const [entry, noted] = [path.join(folder, `${name}.js`), path.join(folder, `${name}.pids`)]
  const note = `require('node:fs').appendFileSync(${JSON.stringify(noted)}, process.pid + '\\n')`
  writeFileSync(entry, ['setInterval(() => {}, 1_000)', ...lines, note].join('\n'))
  writeFileSync(noted, '')
  const pids = () => readFileSync(noted, 'utf8').split('\n').filter(Boolean).map(Number)
  const readAgain = () => readSettingsOf(process.env)
  const options = { entry: name, count: 2, entryArgs: [entry], reading: readAgain(), readAgain, leaveMs }
  return { ...superviseProcesses(options), pids }
}

describe('a request to stop', () => {
  test('comes to an end although both processes hang, and the command has failed', async () => {
    const { stop, ended, pids } = supervise('deaf', [DEAF, READY], 100)
    await pollUntil('both', () => pids().length === 2)
    stop()
    expect(await ended).toBe(1)
    expect(pids().map(processStartTime)).toEqual([null, null])
  })

  test('waits for processes that end by themselves', async () => {
    const { stop, ended, pids } = supervise('polite', [POLITE, READY])
    await pollUntil('both', () => pids().length === 2)
    stop()
    expect(await ended).toBe(0)
  })

  test('ends processes that are done and hang as they exit, without a failure', async () => {
    const done = "process.on('SIGTERM', () => process.send({ kind: 'done', code: 0 }))"
    const { stop, ended, pids } = supervise('done', [done, READY])
    await pollUntil('both', () => pids().length === 2)
    stop()
    expect(await ended).toBe(0)
    expect(pids().map(processStartTime)).toEqual([null, null])
  })

  test('while the first process starts is no failure', async () => {
    const { stop, ended, pids } = supervise('starting', [])
    await pollUntil('the first', () => pids().length === 1)
    stop()
    expect(await ended).toBe(0)
  })

  test('while the second process starts is no failure', async () => {
    const isFirst = "process.env.TOLLGATE_PROCESS.startsWith('1')"
    const { stop, ended, pids } = supervise('half', [`if (${isFirst}) { ${POLITE}; ${READY} }`])
    await pollUntil('both', () => pids().length === 2)
    stop()
    expect(await ended).toBe(0)
  })
})
