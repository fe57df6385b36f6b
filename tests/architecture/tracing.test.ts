import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filesBelow, isTestFile, readSourceFile, SOURCE_ROOT } from '../support/source-imports'

const LOADER = 'server/cli/tracing/open-telemetry.ts'

test('OpenTelemetry is loaded by import() in one file, so a process without a collector never loads it', () => {
  const loading = filesBelow('server', 'app', 'components')
    .filter((file) => !isTestFile(file))
    .filter((file) => readSourceFile(file).imports.some((i) => i.from.startsWith('@opentelemetry/') && !i.isType))
  expect(loading).toEqual([LOADER])
  const lines = readFileSync(path.join(SOURCE_ROOT, LOADER), 'utf8').split('\n')
  const atStart = lines.filter((line) => line.startsWith('import ') && line.includes('@opentelemetry/'))
  expect(atStart.filter((line) => !line.startsWith('import type '))).toEqual([])
})
