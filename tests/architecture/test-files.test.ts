import { describe, expect, test } from 'vitest'
import { filesBelow, isTestFile, readSourceFile } from '../support/source-imports'

const files = filesBelow('server', 'components', 'tests')
const withExtension = new Map(files.map((file) => [file.replace(/\.\w+$/, ''), file]))

/** What a test reaches: its own imports, and those of the test support that it uses. */
function reachedFrom(test: string): Set<string> {
  const reached = new Set<string>()
  const follow = (file: string) => {
    for (const { from, file: imported, isType } of readSourceFile(file).imports) {
      const name = imported ?? from
      if (isType || reached.has(name)) continue
      reached.add(name)
      const next = withExtension.get(name)
      if (next?.startsWith('tests/')) follow(next)
    }
  }
  follow(test)
  return reached
}

const PROCESSES = ['node:child_process', 'playwright-core', 'server/tools/web/find-chromium']
const DATABASE = ['server/db', 'tests/support/database', 'tests/support/owners', 'pg']

const found = (tests: readonly string[], forbidden: readonly string[]) =>
  tests.flatMap((file) => {
    const reached = reachedFrom(file)
    return forbidden.filter((name) => reached.has(name)).map((name) => `${file} imports ${name}`)
  })

const tests = files.filter(isTestFile)
const inProject = (suffix: RegExp) => tests.filter((file) => suffix.test(file))

describe('the name of a test file says what it needs', () => {
  test('*.test.ts needs neither a database nor a process', () => {
    const pure = tests.filter((file) => !/\.(db|process|client)\.test\.ts$/.test(file))
    expect(pure.length).toBeGreaterThan(100)
    expect(found(pure, [...PROCESSES, ...DATABASE])).toEqual([])
  })

  test('*.db.test.ts starts no process', () => {
    expect(inProject(/\.db\.test\.ts$/).length).toBeGreaterThan(80)
    expect(found(inProject(/\.db\.test\.ts$/), PROCESSES)).toEqual([])
  })

  test('*.process.test.ts and *.client.test.ts are the only ones that may do both', () => {
    const names = tests.map((file) => file.match(/\.(\w+)\.test\.tsx?$/)?.[1]).filter((name) => name !== undefined)
    expect([...new Set(names)].sort()).toEqual(['client', 'db', 'process'])
  })
})
