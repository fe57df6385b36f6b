import { afterAll, beforeAll } from 'vitest'
import { closeDb } from '../../server/db'
import { env } from '../../server/env'
import { makeTestDatabase, type TestDatabase } from './database'

/** Gives a test file a database that no other file writes to. */
export function withOwnDatabase(): void {
  let database: TestDatabase
  beforeAll(async () => {
    database = await makeTestDatabase()
    process.env.DATABASE_URL = database.url
    Object.assign(env(), { DATABASE_URL: database.url })
  })
  afterAll(async () => {
    await closeDb()
    await database.drop()
  })
}
