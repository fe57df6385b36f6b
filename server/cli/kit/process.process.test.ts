import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { endProcess, identifyProcess, isProcessAlive, processCommandLine, processStartTime } from './process'

const sleeper = () => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])

describe('naming a process', () => {
  it('tells a pid that was given to another process from the one that had it', () => {
    expect(isProcessAlive({ pid: process.pid, started: processStartTime(process.pid) ?? '' })).toBe(true)
    expect(isProcessAlive({ pid: process.pid, started: 'another time' })).toBe(false)
  })

  it('knows that an ended process is gone', async () => {
    const child = sleeper()
    const name = identifyProcess(child.pid ?? 0)
    if (!name) throw new Error('the child is not there')
    expect(processCommandLine(name.pid)).toContain('setInterval')
    const gone = once(child, 'exit')
    expect(await endProcess(name, [['SIGKILL', 5_000]])).toBe(true)
    await gone
    expect(identifyProcess(name.pid)).toBeNull()
    expect(processCommandLine(name.pid)).toBe('')
  })

  it('goes from a polite signal to a sure one', async () => {
    const child = spawn(process.execPath, [
      '-e',
      "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log(1)",
    ])
    await once(child.stdout, 'data')
    const name = identifyProcess(child.pid ?? 0)
    if (!name) throw new Error('the child is not there')
    const gone = once(child, 'exit')
    expect(
      await endProcess(name, [
        ['SIGTERM', 200],
        ['SIGKILL', 5_000],
      ]),
    ).toBe(true)
    expect((await gone)[1]).toBe('SIGKILL')
  })
})
