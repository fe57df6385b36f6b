import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filesBelow, isTestFile, SOURCE_ROOT } from '../support/source-imports'

/**
 * Files that may send SQL as text, and why. Everything else declares a statement
 * (server/kit/statement.ts).
 */
const MAY_SEND_SQL: readonly [RegExp, string][] = [
  [/^server\/db\.ts$/, 'runs the statements'],
  [/^server\/(kit\/pg-\w+|cli\/web\/pooler|cli\/watchdog\/watchdog-thread)\.ts$/, 'runs what it is given'],
  [/^server\/cli\/backup\//, 'copies whole tables'],
  [/^server\/cli\/capacity\//, 'works in a schema that it makes and drops, which no statement is checked against'],
  [/^server\/cli\/doctor\//, 'asks the server how it is, also of another version'],
  [/^server\/cli\/(embedded|migrations)\//, 'works on the server and its catalog, not on our rows'],
  [
    /^server\/cli\/web\/(require-database|check-connections|check-pooling|warm-up)\.ts$/,
    'connects to the server, or looks at it, before anything is served',
  ],
  [/^server\/cli\/bench\.ts$/, 'asks for the version of the server'],
  [/^server\/agent-tools\/data\//, 'works on the database of an owner'],
]

/**
 * A query of the driver or of Prisma. The procedures of tRPC have a `query` too, which takes a
 * function.
 */
const RAW_QUERY =
  /\$(query|execute)Raw|\.query<|\.query\(\s*['"`{]|\.query\(\s*(sql|text|query)\b|\b(main|hot|bulk|read)Pool\(\)/

test('SQL is sent only as a statement that is checked against the database', () => {
  const files = filesBelow('server').filter((file) => !isTestFile(file) && !file.endsWith('.mjs'))
  const found = files.filter((file) => RAW_QUERY.test(readFileSync(path.join(SOURCE_ROOT, file), 'utf8')))
  expect(found.filter((file) => !MAY_SEND_SQL.some(([pattern]) => pattern.test(file)))).toEqual([])
})
