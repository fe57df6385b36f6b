// Backup, restore and move-to as operators run them, as a role that owns its database.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { env } from '../../server/env'
import { callQuery, chargedTo, withSandbox } from '../support/api'
import { makeEmptyDatabase, type TestDatabase } from '../support/database'
import { makeCaller } from '../support/owners'
import { queryOnce } from '../support/query-once'
import { runToEnd } from '../support/run-to-end'

withSandbox()

const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-copies-'))
const backup = path.join(folder, 'backup')
let restored: TestDatabase
let moved: TestDatabase
let caller: Awaited<ReturnType<typeof makeCaller>>

beforeAll(async () => {
  restored = await makeEmptyDatabase()
  moved = await makeEmptyDatabase()
  caller = await makeCaller(1_000)
  await callQuery(caller.key.key, 'web_search', { query: 'tolls' })
})
afterAll(async () => {
  await restored.drop()
  await moved.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** `npm run admin` over a database. */
async function admin(url: string, ...words: string[]) {
  const settings = { DATABASE_URL: url, DATA_DIR: folder, STORAGE_URL: `file:${folder}/files` }
  const { code, stdout, stderr } = await runToEnd(
    'npm',
    ['run', '--silent', 'admin', '--', ...words, '--json'],
    settings,
  )
  expect([code, JSON.parse(stdout).error], stderr).toEqual([0, undefined])
  return JSON.parse(stdout)
}

const chargedIn = async (url: string) =>
  Number(
    (await queryOnce<{ sum: string }>(url, 'SELECT -sum(amount) AS sum FROM ledger WHERE hold_id IS NOT NULL'))[0]?.sum,
  )

test('a backup is restored into an empty database, and that is moved to another', async () => {
  const charged = await chargedTo(caller.owner)
  expect(charged).toBeGreaterThan(0)
  await admin(env().DATABASE_URL, 'backup', '--to', backup)
  expect(await admin(restored.url, 'restore', '--from', backup)).toMatchObject({ ok: true, differences: [] })
  expect(await chargedIn(restored.url)).toBe(charged)
  expect(await admin(restored.url, 'restore', '--from', backup, '--replace')).toMatchObject({ ok: true })
  expect(await admin(restored.url, 'move-to', moved.url)).toMatchObject({ ok: true, differences: [] })
  expect(await chargedIn(moved.url)).toBe(charged)
  expect(await admin(moved.url, 'ledger', 'verify')).toMatchObject({ ok: true })
})

test('while a web process is connected, both are refused', async () => {
  const web = new pg.Client({ connectionString: moved.url, application_name: 'tollgate web 1 hot' })
  await web.connect()
  const settings = { DATABASE_URL: moved.url, DATA_DIR: folder }
  const refused = (...words: string[]) => runToEnd('npm', ['run', '--silent', 'admin', '--', ...words], settings)
  const copies = [await refused('restore', '--from', backup, '--replace'), await refused('move-to', restored.url)]
  await web.end()
  expect(copies.map(({ code }) => code)).toEqual([1, 1])
  for (const { stderr } of copies) expect(stderr).toContain('Web or worker processes use the database to')
})
