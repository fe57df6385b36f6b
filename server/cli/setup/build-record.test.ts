import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { commitInFolder } from './build-record.mjs'

const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-git-'))
afterAll(() => rmSync(folder, { recursive: true }))
const write = (name: string, text: string) => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
  writeFileSync(path.join(folder, name), text)
}
const [OWN, PACKED] = ['1'.repeat(40), '2'.repeat(40)]

test('the commit of a checkout is read without git: as a file, packed, detached, or not there', () => {
  expect(commitInFolder(path.join(folder, 'nothing'))).toBe('')
  write('HEAD', 'ref: refs/heads/main\n')
  expect(commitInFolder(folder)).toBe('')
  write('packed-refs', `# pack-refs with: peeled\n${OWN} refs/heads/maintenance\n${PACKED} refs/heads/main\n`)
  expect(commitInFolder(folder)).toBe(PACKED)
  write('refs/heads/main', `${OWN}\n`)
  expect(commitInFolder(folder)).toBe(OWN)
  write('HEAD', `${PACKED}\n`)
  expect(commitInFolder(folder)).toBe(PACKED)
})
