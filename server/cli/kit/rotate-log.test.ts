import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { rotateLog } from './rotate-log'

test('a log survives five starts after its own', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-logs-'))
  const file = path.join(folder, 'web.log')
  for (let start = 1; start <= 8; start++) {
    rotateLog(file)
    writeFileSync(file, `start ${start}`)
  }
  expect(readdirSync(folder).sort()).toEqual(['web.log', ...[1, 2, 3, 4, 5].map((n) => `web.log.${n}`)])
  expect(readFileSync(`${file}.1`, 'utf8')).toBe('start 7')
  expect(readFileSync(`${file}.5`, 'utf8')).toBe('start 3')
  rmSync(folder, { recursive: true })
})
