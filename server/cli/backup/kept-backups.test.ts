import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { deleteOlderBackups, newBackupIn } from './kept-backups'

const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-kept-'))
afterAll(() => rmSync(folder, { recursive: true }))

function make(name: string, file = 'manifest.json'): void {
  mkdirSync(path.join(folder, name))
  writeFileSync(path.join(folder, name, file), '')
}

test('only the newest backups stay, what a killed one left goes, and nothing else is touched', () => {
  const now = path.basename(newBackupIn(folder))
  const old = [1, 2, 3].map((day) => `2026-01-0${day}T03-30-00-000Z`)
  const others = ['2026-01-04T03-30-00-000Z', 'before-the-upgrade', `${now}.partial`]
  for (const name of [...old, now, 'before-the-upgrade']) make(name)
  make(others[0] ?? '', 'no-manifest')
  make(`${now}.partial`)
  make('2026-01-02T04-00-00-000Z.partial')
  expect(deleteOlderBackups(folder, 2)).toEqual([old[0], old[1], '2026-01-02T04-00-00-000Z.partial'])
  expect(readdirSync(folder).sort()).toEqual([...others, old[2], now].sort())
})
