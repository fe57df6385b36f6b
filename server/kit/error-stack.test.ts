import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { errorStack } from './error-stack'

test('a stack names the place in the source where the bundle has a map beside it', async () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'error-stack-')))
  const source = path.join(folder, 'source.ts')
  writeFileSync(source, 'type Unused = string\n\nexport const fail = (): never => {\n  throw new Error("here")\n}\n')
  const outfile = path.join(folder, 'bundle.js')
  await build({ entryPoints: [source], outfile, bundle: true, format: 'esm', sourcemap: true, logLevel: 'silent' })
  const error = new Error('here')
  error.stack = `Error: here\n    at fail (${pathToFileURL(outfile)}:3:9)\n    at run (${outfile}:3:9)\n    at node:x:1:2`
  const lines = errorStack(error, folder).split('\n')
  expect(lines[1]).toBe(`    at fail (${source}:4:9)`)
  expect(lines[2]).toBe(`    at run (${source}:4:9)`)
  expect(lines[3]).toBe('    at node:x:1:2')
})

test('a stack without maps stays as it is, and what is not an error becomes text', () => {
  const error = new Error('plain')
  expect(errorStack(error)).toBe(error.stack)
  expect([errorStack('text'), errorStack(undefined)]).toEqual(['text', 'undefined'])
})
