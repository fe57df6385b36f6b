import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { isFresh, remember } from './fingerprint.mjs'
import { at } from './root.mjs'

const folder = mkdtempSync(path.join(tmpdir(), 'fingerprint-'))
afterAll(() => rmSync(folder, { recursive: true }))

const below = path.relative(at(), folder)
const stamp = `${below}/stamp`
const inputs = [`${below}/sources`, `${below}/one.json`]
const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text)

beforeEach(() => {
  rmSync(path.join(folder, 'sources'), { recursive: true, force: true })
  mkdirSync(path.join(folder, 'sources'))
  write('sources/a.ts', 'a')
  write('one.json', '1')
  remember(stamp, inputs)
})

it('is fresh until something is written', () => {
  expect(isFresh(stamp, inputs)).toBe(true)
  write('sources/a.ts', 'b')
  expect(isFresh(stamp, inputs)).toBe(false)
})

it('is fresh when files were touched, and remembers their times', () => {
  const before = readFileSync(at(stamp), 'utf8')
  utimesSync(path.join(folder, 'sources/a.ts'), 1, 1)
  expect(isFresh(stamp, inputs)).toBe(true)
  const after = readFileSync(at(stamp), 'utf8')
  expect(after).not.toBe(before)
  expect(after.split('\n')[0]).toBe(before.split('\n')[0])
})

it('notices a write that keeps size and time of change', () => {
  utimesSync(path.join(folder, 'one.json'), 1, 1)
  expect(isFresh(stamp, inputs)).toBe(true)
  write('one.json', '2')
  utimesSync(path.join(folder, 'one.json'), 1, 1)
  expect(isFresh(stamp, inputs)).toBe(false)
})

it('notices new, renamed and missing files, but no tests', () => {
  write('sources/a.test.ts', 'x')
  expect(isFresh(stamp, inputs)).toBe(true)
  write('sources/b.ts', '')
  expect(isFresh(stamp, inputs)).toBe(false)
  rmSync(path.join(folder, 'sources/b.ts'))
  expect(isFresh(stamp, inputs)).toBe(true)
  rmSync(path.join(folder, 'one.json'))
  expect(isFresh(stamp, inputs)).toBe(false)
})

it('is not fresh where nothing was remembered', () => {
  expect(isFresh(`${below}/other`, inputs)).toBe(false)
})
