// Runs before each file of a project with a database: each gets a separate database
// and sandbox address, so that files can run in parallel.
import { afterAll } from 'vitest'
import { makeTestDatabase } from './database'
import { releasePorts, takePort } from './ports'

// Settings derive from this address, so it is chosen before any are read.
process.env.SANDBOX_URL = `http://127.0.0.1:${await takePort()}`

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
  await releasePorts()
})
