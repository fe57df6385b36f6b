import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT_ROOT } from '../cli/kit/project'
import { readFramedLines } from './framed-lines'

const PROGRAM = `const { frameLine } = await import('./server/kit/framed-lines.ts')
  const fs = await import('node:fs')
  const fd = fs.openSync(process.argv[1], 'w')
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50)
  const append = () => {
    fs.writeSync(fd, frameLine('x'.repeat(2000)))
    setImmediate(append)
  }
  append()`

test('a process that is killed while it appends leaves whole lines, but for the last one', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-framed-'))
  const file = path.join(folder, 'lines')
  const args = ['--input-type=module', '-e', PROGRAM, file]
  expect(spawnSync(process.execPath, args, { cwd: PROJECT_ROOT }).signal).toBe('SIGKILL')
  const { lines, damaged } = readFramedLines(readFileSync(file))
  expect(lines.length).toBeGreaterThan(10)
  expect(new Set(lines)).toEqual(new Set(['x'.repeat(2000)]))
  expect(damaged).toBe(0)
  rmSync(folder, { recursive: true })
})
