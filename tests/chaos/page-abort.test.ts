import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeSessionCookie } from '../../server/accounts/session'
import { closeDb, pool, prisma } from '../../server/db'
import { makeOwner } from '../support/make'
import { startWeb, until, type WebProcess } from '../support/web'

const LOADS = 20
let web: WebProcess
beforeAll(async () => {
  // A bound far beyond this test: only a cancelled read can end within it.
  web = await startWeb({ READ_TIMEOUT_MS: '300000' })
})
afterAll(async () => {
  await web.kill('SIGKILL')
  await closeDb()
})

/** Queries that a web process's pages run. */
async function running(): Promise<number> {
  const { rows } = await pool().query(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE application_name = 'tollgate-reads' AND state = 'active' AND datname = current_database()`,
  )
  return rows[0].n
}

it.each(['/overview', '/usage'])('page loads of %s that were broken off leave no query running', async (path) => {
  const owner = await prisma().owner.findUniqueOrThrow({ where: { id: (await makeOwner()).id } })
  const { name, value } = await makeSessionCookie(owner)
  const blocker = await pool().connect()
  try {
    await blocker.query('BEGIN; LOCK TABLE usage_day IN ACCESS EXCLUSIVE MODE')
    const leaving = new AbortController()
    const loads = Array.from({ length: LOADS }, () =>
      fetch(`${web.url}${path}`, { headers: { cookie: `${name}=${value}` }, signal: leaving.signal })
        .then((r) => r.text())
        .catch((error: Error) => error.name),
    )
    await until('the reads', async () => (await running()) > 0)
    leaving.abort()
    expect(new Set(await Promise.all(loads))).toEqual(new Set(['AbortError']))
    await until('the end of every read', async () => (await running()) === 0)
  } finally {
    await blocker.query('ROLLBACK')
    blocker.release()
  }
  const again = await fetch(`${web.url}${path}`, { headers: { cookie: `${name}=${value}` } })
  expect(again.status).toBe(200)
  expect(web.log()).not.toMatch(/Server Components render|"level":50(?!.*libpg-query)/)
})
