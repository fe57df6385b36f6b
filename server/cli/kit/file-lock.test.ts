import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withFileLock } from './file-lock'
import { identifyProcess } from './process'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lock-'))
  file = path.join(folder, 'lock')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('withLock', () => {
  it('lets one in at a time', async () => {
    let inside = 0
    let max = 0
    const work = async () => {
      max = Math.max(max, ++inside)
      await sleep(20)
      inside--
    }
    await Promise.all(Array.from({ length: 8 }, () => withFileLock(file, work)))
    expect(max).toBe(1)
  })

  it('takes over from a process that is gone, also when several wait for it', async () => {
    writeFileSync(file, JSON.stringify({ pid: process.pid, started: 'before a restart' }))
    let inside = 0
    let max = 0
    const work = async () => {
      max = Math.max(max, ++inside)
      await sleep(5)
      inside--
    }
    await Promise.all(Array.from({ length: 5 }, () => withFileLock(file, work)))
    expect(max).toBe(1)
  })

  it('frees the lock when the work fails', async () => {
    const failing = withFileLock(file, async () => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await withFileLock(file, async () => 'in')).toBe('in')
  })

  it('names the living holder when it waits too long', async () => {
    writeFileSync(file, JSON.stringify(identifyProcess(process.pid)))
    const waiting = withFileLock(file, async () => 'in', 100)
    await expect(waiting).rejects.toThrow(`Process ${process.pid} has held`)
  })
})
