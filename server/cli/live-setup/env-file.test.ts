import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { writeEnvFile } from './env-file'

const newFile = (text?: string) => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'tollgate-env-')), '.env')
  if (text !== undefined) writeFileSync(file, text, { mode: 0o644 })
  return file
}

test('a new file has the variables, and only its owner reads it', () => {
  const file = newFile()
  const settings = { UPSTREAMS: 'live', SECRET: 'with space # and "quotes"', URL: 'postgresql://a:b%20c@host/db?x=1' }
  writeEnvFile(file, settings)
  expect(parseEnv(readFileSync(file, 'utf8'))).toEqual(settings)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('what is in a file stays, but for the variables that are set again', () => {
  const file = newFile('# mine\nPORT=4000\nUPSTREAMS=sandbox\nUPSTREAMS=sandbox\n\nA=1\n')
  writeEnvFile(file, { UPSTREAMS: 'live', B: '2' })
  expect(readFileSync(file, 'utf8')).toBe('# mine\nPORT=4000\nUPSTREAMS=live\n\nA=1\nB=2\n')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a value that no quotes can hold is refused, and the file stays', () => {
  const file = newFile('A=1\n')
  expect(() => writeEnvFile(file, { A: `'"\`` })).toThrow('A cannot be written to .env')
  expect(() => writeEnvFile(file, { A: 'two\nlines' })).toThrow('A cannot be written to .env')
  expect(readFileSync(file, 'utf8')).toBe('A=1\n')
})
