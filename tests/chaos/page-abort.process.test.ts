import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeSessionCookie } from '../../server/accounts/session'
import { mainPool, prisma } from '../../server/db'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { startWebProcess, type WebProcess } from '../support/web-process'

const LOADS = 20

/** Makes every read of receipts take minutes for pages and lists, and for nobody else. */
const SLOW = `ALTER TABLE receipt RENAME TO receipt_kept;
  CREATE FUNCTION slow_receipts() RETURNS SETOF receipt_kept LANGUAGE plpgsql AS $$
    BEGIN
      IF current_setting('application_name') LIKE 'tollgate % reads' THEN PERFORM pg_sleep(300); END IF;
      RETURN QUERY SELECT * FROM receipt_kept;
    END $$;
  CREATE VIEW receipt AS SELECT * FROM slow_receipts()`

let web: WebProcess
beforeAll(async () => {
  // A bound far beyond this test: only a cancelled read can end within it.
  web = await startWebProcess({ READ_TIMEOUT_MS: '300000' })
})
afterAll(() => web.kill('SIGKILL'))

/** Queries that a web process's pages run. */
async function running(): Promise<number> {
  const { rows } = await mainPool().query(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE application_name LIKE 'tollgate % reads' AND state = 'active' AND datname = current_database()`,
  )
  return rows[0].n
}

it.each(['/overview', '/usage', '/usage/export?status=ok', '/api/trpc/overview.get', '/api/v1/usage?status=ok'])(
  'requests to %s whose clients disconnected leave no query running',
  async (path) => {
    const { owner, key } = await makeCaller()
    const signedIn = await prisma().owner.findUniqueOrThrow({ where: { id: owner.id } })
    const { name, value } = await makeSessionCookie(signedIn)
    const headers: Record<string, string> = path.startsWith('/api/v1/')
      ? { authorization: `Bearer ${key.key}` }
      : { cookie: `${name}=${value}` }
    await mainPool().query(SLOW)
    try {
      const leaving = new AbortController()
      const loads = Array.from({ length: LOADS }, () =>
        fetch(`${web.url}${path}`, { headers, signal: leaving.signal })
          .then((r) => r.text())
          .catch((error: Error) => error.name),
      )
      await pollUntil('the reads', async () => (await running()) > 0)
      leaving.abort()
      expect(new Set(await Promise.all(loads))).toEqual(new Set(['AbortError']))
      await pollUntil('the end of every read', async () => (await running()) === 0)
    } finally {
      await mainPool().query(
        'DROP VIEW receipt; DROP FUNCTION slow_receipts(); ALTER TABLE receipt_kept RENAME TO receipt',
      )
    }
    const again = await fetch(`${web.url}${path}`, { headers })
    expect(again.status).toBe(200)
    expect(web.log()).not.toMatch(/Server Components render|"level":50(?!.*libpg-query)/)
  },
)
