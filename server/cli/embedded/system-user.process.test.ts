import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEST_HOME } from '../../../tests/support/database'
import { unprivilegedId } from '../../kit/system-user'
import { type EmbeddedDatabase, joinEmbeddedDatabase } from './join'
import { databaseUser } from './system-user'

const self = process.getuid?.() ?? -1
const isRoot = self === 0

let server: EmbeddedDatabase
beforeAll(async () => {
  server = await joinEmbeddedDatabase(TEST_HOME)
})
afterAll(() => server.release())

/** The user a process runs as. */
const uidOf = (pid: number) => Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

describe('the user of the embedded database', () => {
  it('is one of its own for root, and the same as ever for anybody else', async () => {
    const db = new pg.Client({ connectionString: server.url })
    await db.connect()
    const { rows } = await db.query('SELECT pg_backend_pid() AS pid')
    expect(uidOf(rows[0].pid)).toBe(isRoot ? unprivilegedId('database') : self)
    await db.end()
  })

  it('takes over a folder that another user had', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'own-'))
    mkdirSync(path.join(folder, 'base', '1'), { recursive: true })
    writeFileSync(path.join(folder, 'base', '1', 'file'), '')
    const user = databaseUser()
    user.own(folder)
    const owners = ['', 'base', 'base/1', 'base/1/file'].map((name) => statSync(path.join(folder, name)).uid)
    expect(new Set(owners)).toEqual(new Set([isRoot ? unprivilegedId('database') : self]))
    rmSync(folder, { recursive: true })
  })
})

describe('the user of the browser', () => {
  it('sees nothing of the data folder or of the database, as far as root can give it a user', () => {
    const folder = path.dirname(TEST_HOME)
    const secret = path.join(mkdtempSync(path.join(folder, 'seen-')), 'file')
    writeFileSync(secret, 'secret')
    const browser = isRoot ? { uid: unprivilegedId('browser'), gid: unprivilegedId('browser') } : {}
    const read = (file: string) => spawnSync('/bin/ls', [file], { ...browser, cwd: '/' }).status === 0
    const seen = [folder, secret, TEST_HOME, path.join(TEST_HOME, 'data')].map(read)
    expect(seen).toEqual(seen.map(() => !isRoot))
    rmSync(path.dirname(secret), { recursive: true })
  })
})
