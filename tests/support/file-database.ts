// Runs before each file of a project with a database: each gets a separate database
// and sandbox address, so that files can run in parallel.
import { afterAll } from 'vitest'
import { findFreePort } from '../../server/cli/ports'
import { makeTestDatabase } from './database'

/**
 * Settings derive from this address, so it is chosen before any are read. Below the ports that the
 * system gives out.
 */
process.env.SANDBOX_URL = `http://127.0.0.1:${await findFreePort(12_000 + (process.pid % 800) * 10)}`

const database = await makeTestDatabase()
process.env.DATABASE_URL = database.url

afterAll(async () => {
  // Loaded here: at the top, the pools would be those of the file before.
  const [{ closeQueue }, { closeDb }] = await Promise.all([
    import('../../server/agent/queue/connection'),
    import('../../server/db'),
  ])
  await closeQueue()
  await closeDb()
  await database.drop()
})
