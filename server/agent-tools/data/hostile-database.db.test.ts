import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type FakePostgres,
  type FakePostgresReplies,
  pgCleartextPassword,
  pgCommandComplete,
  pgInt32,
  pgMessage,
  pgReadyForQuery,
  pgTextColumn,
  pgTextRow,
  startFakePostgres,
} from '../../../tests/support/fake-postgres'
import { makeOwner, type TestOwner } from '../../../tests/support/owners'
import { closeDb } from '../../db'
import { AppError } from '../../errors'
import { parseDatabaseUrl } from './address'
import { connectOwnerDatabase } from './connection'
import { openOwnerDatabase } from './open-database'
import { sqlQuery } from './sql_query'
import { MAX_RECEIVED_BYTES } from './wire-guard'

/** Variables of the gateway's environment that must never reach an owner's database. */
const CANARY = 'canary-of-the-operator'
const OURS = ['USER', 'PASSWORD', 'OPTIONS', 'APPNAME', 'DATABASE', 'HOST', 'PORT', 'SERVICE', 'PASSFILE', 'BINARY']
const MORE = ['REPLICATION', 'CLIENTENCODING', 'SSLNEGOTIATION', 'SSLMODE', 'SSLCERT', 'SSLKEY', 'CONNECT_TIMEOUT']
const VARIABLES = [...OURS, ...MORE].map((name) => `PG${name}`)
const before = Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]))

let fake: FakePostgres
let owner: TestOwner

beforeAll(async () => {
  fake = await startFakePostgres()
  process.env.ALLOW_PRIVATE_HOSTS = `127.0.0.1:${fake.port}`
  owner = await makeOwner()
  await connectOwnerDatabase(owner.id, url())
})
beforeEach(() => {
  fake.answers = {}
})
afterEach(() => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
})
afterAll(async () => {
  await fake.close()
  await closeDb()
})

const url = () => `postgresql://someone:secret-of-the-owner@127.0.0.1:${fake.port}/theirs`

const failure = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => expect.unreachable('it should have failed'),
    (e: unknown) => e,
  )
  if (!(error instanceof AppError)) throw error
  return { code: error.code, message: error.message }
}

const select = (answers: FakePostgresReplies) => {
  fake.answers = answers
  const context = { signal: AbortSignal.timeout(120_000), onSent: () => {}, spent: () => {}, ownerId: owner.id }
  return sqlQuery.run(sqlQuery.params.parse({ sql: 'select 1' }) as never, context)
}

describe('the URL of a database', () => {
  test.each([
    ['postgresql://host/db', /both the user and the password/],
    ['postgresql://user@host/db', /both the user and the password/],
    ['postgresql://user:@host/db', /both the user and the password/],
    ['postgresql://:password@host/db', /both the user and the password/],
    ['postgresql://%zz@host/db', /invalid user/],
    ['postgresql://user:%@host/db', /invalid password/],
    ['postgresql://user:password@host/%ff', /invalid database name/],
    ['postgresql://user%00options%00-c:password@host/db', /invalid user/],
    ['postgresql://user:password@host/db?sslmode=constructor', /sslmode/],
  ])('%s is refused with 400', async (text, why) => {
    expect(await failure(connectOwnerDatabase(owner.id, text))).toEqual({
      code: 'invalid_request',
      message: expect.stringMatching(why),
    })
  })
})

describe('the environment of the gateway', () => {
  test('has no effect on a connection', async () => {
    for (const name of VARIABLES) process.env[name] = CANARY
    fake.answers = { startup: (socket) => socket.write(pgCleartextPassword) }
    await connectOwnerDatabase(owner.id, url())
    const sent = fake.sent()
    expect(sent).toContain('secret-of-the-owner')
    expect(sent).not.toContain(CANARY)
    expect(sent).not.toMatch(/options\0|replication\0/)
  })
})

/** Writes as fast as the client reads, until the client closes the connection; counts the bytes. */
function pour(socket: Socket, chunk: Buffer, head: Buffer = Buffer.alloc(0)): () => number {
  let taken = 0
  socket.write(head)
  const more = () => {
    while (!socket.destroyed && socket.write(chunk)) taken += chunk.length
    taken += chunk.length
  }
  socket.on('drain', more)
  more()
  return () => taken
}

/** The beginning of a message of this length. */
const headOf = (type: string, length: number): Buffer => Buffer.concat([Buffer.from(type), pgInt32(length)])

describe('a database that never stops sending', () => {
  const MiB = Buffer.alloc(1024 * 1024, 'x')

  test.each<[string, (socket: Socket) => () => number]>([
    ['one row of 1.9 GB', (socket) => pour(socket, MiB, headOf('D', 1_900_000_000))],
    ['descriptions', (socket) => pour(socket, Buffer.concat(Array.from({ length: 1_000 }, () => pgTextColumn)))],
    ['notices', (socket) => pour(socket, pgMessage('N', 'M', MiB.subarray(0, 9_000), '\0\0'))],
    ['an error', (socket) => pour(socket, MiB, headOf('E', 2_000_000_000))],
  ])('is cut after 8 MiB of %s', async (_name, send) => {
    let taken = () => 0
    const error = await failure(
      select({
        statement: (socket) => {
          socket.write(Buffer.concat([pgMessage('1'), pgMessage('2'), pgTextColumn]))
          taken = send(socket)
        },
      }),
    )
    expect(error).toEqual({ code: 'upstream_error', message: expect.stringMatching(/more than 8 MiB/) })
    // Above the limit there is only what the two sockets had buffered.
    expect(taken()).toBeLessThan(MAX_RECEIVED_BYTES + 16 * MiB.length)
  })

  test('is disconnected before authentication, too', async () => {
    fake.answers = { startup: (socket) => void pour(socket, pgMessage('N', 'M', MiB.subarray(0, 9_000), '\0\0')) }
    expect((await failure(connectOwnerDatabase(owner.id, url()))).message).toMatch(/more than 8 MiB/)
  })

  test('yields the first thousand rows of very many', async () => {
    const rows = Buffer.concat(Array.from({ length: 1_000 }, () => pgTextRow('y')))
    const answer = await select({
      statement: (socket) => {
        socket.write(Buffer.concat([pgMessage('1'), pgMessage('2'), pgTextColumn]))
        pour(socket, rows)
      },
    })
    expect(answer).toMatchObject({ totalRows: 1_000, truncated: true })
  })
})

describe('a database that does not speak the protocol', () => {
  const cases: [string, Buffer][] = [
    ['an error without its end', pgMessage('E')],
    ['an error whose field has no end', pgMessage('E', 'Mabc')],
    ['a notice without its end', pgMessage('N', 'SERROR\0')],
    ['a row that is shorter than it says', pgMessage('D', Buffer.from([0x7f, 0xff]))],
    ['a row with fewer than no columns', pgMessage('D', Buffer.from([0xff, 0xff]))],
    ['columns that are not there', pgMessage('T', Buffer.from([0x7f, 0xff]))],
    ['a length that does not count itself', Buffer.from([0x44, 0, 0, 0, 0, 0, 0, 0, 0])],
    ['an unknown kind of authentication', pgMessage('R', pgInt32(99))],
    ['an unknown message', pgMessage('!', 'what')],
    ['a page of the web', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ]

  test.each(cases)('only fails its own statement with %s', async (_name, bytes) => {
    const error = await failure(select({ statement: (socket) => socket.end(bytes) }))
    expect(error.code).toBe('upstream_error')
  })

  test.each(cases)('is not connected when it begins with %s', async (_name, bytes) => {
    fake.answers = { startup: (socket) => socket.end(bytes) }
    expect((await failure(connectOwnerDatabase(owner.id, url()))).code).toBe('upstream_error')
  })

  test('is not connected when it closes the connection, or keeps asking for a password', async () => {
    expect((await failure(select({ statement: (socket) => socket.destroy() }))).code).toBe('upstream_error')
    const ask = (socket: Socket) => void socket.write(pgCleartextPassword)
    fake.answers = { startup: ask, password: (socket) => socket.end(pgMessage('E', 'SFATAL\0Mno such user\0\0')) }
    expect((await failure(connectOwnerDatabase(owner.id, url()))).message).toMatch(/no such user/)
  })
})

describe('a database that falls silent', () => {
  test('has its connection closed when the client disconnects', async () => {
    const leaving = new AbortController()
    fake.answers = { statement: () => leaving.abort() }
    const context = { signal: leaving.signal, onSent: () => {}, spent: () => {}, ownerId: owner.id }
    await expect(sqlQuery.run(sqlQuery.params.parse({ sql: 'select 1' }) as never, context)).rejects.toThrow()
    await expect.poll(fake.open).toBe(0)
  })

  test('has its connection closed after its lifetime', async () => {
    fake.answers = { simple: () => {} }
    const client = await openOwnerDatabase(parseDatabaseUrl(url()), { lifetimeMs: 100 })
    expect(await failure(client.query('SELECT 1'))).toEqual({
      code: 'upstream_error',
      message: 'The database did not respond in time.',
    })
    await expect.poll(fake.open).toBe(0)
  })

  test('has its connection destroyed when it does not close its end', async () => {
    fake.answers = {
      simple: (socket) => {
        // From here on it reads nothing, so it never sees the client's Terminate message.
        socket.write(Buffer.concat([pgCommandComplete('SELECT 0'), pgReadyForQuery]))
        socket.pause()
      },
    }
    await connectOwnerDatabase(owner.id, url())
  })
})
