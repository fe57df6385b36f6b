import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolders } from './require-folders'

const root = mkdtempSync(path.join(tmpdir(), 'tollgate-folders-'))
const file = path.join(root, 'file')
writeFileSync(file, '')
afterAll(() => rmSync(root, { recursive: true }))

test('folders are made', () => {
  makeFolders({ DATA_DIR: path.join(root, 'a/b'), STORAGE_URL: `file:${root}/c` })
  for (const made of ['a/b', 'c']) expect(statSync(path.join(root, made)).isDirectory()).toBe(true)
})

test('a folder that cannot be written is named with its setting', () => {
  expect(() => makeFolders({ DATA_DIR: path.join(file, 'x'), STORAGE_URL: `file:${root}/c` })).toThrow(
    /^DATA_DIR must be a folder that this process may write: .*ENOTDIR/,
  )
  expect(() => makeFolders({ DATA_DIR: root, STORAGE_URL: `file:${file}/x` })).toThrow(/^STORAGE_URL/)
  expect(() => makeFolders({ DATA_DIR: root, STORAGE_URL: 's3://k:s@h/b' })).not.toThrow()
})
