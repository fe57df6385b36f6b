// `npm run admin -- capacity` as a process, on a database of a test: what it finds, and that
// nothing of its measurement stays. Other tests write to the same server: WAL is theirs, too.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { SCRATCH_SCHEMA } from '../../server/cli/capacity/scratch-schema'
import { dataPath, PROJECT_ROOT } from '../../server/cli/kit/project'
import { mainPool } from '../../server/db'
import { runAdminJson } from '../support/admin-process'
import { superuserUrlOf } from '../support/database'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'

const Found = z.object({
  code: z.literal(0),
  measured: z.object({
    calls: z.number(),
    ledgerCpuUs: z.number().positive(),
    databaseCpuUs: z.number().positive(),
    databaseCpuIs: z.enum(['cpu', 'active time']),
    diskBytes: z.number(),
    walBytes: z.number().nonnegative(),
  }),
  plan: z.object({
    web: z.object({ processes: z.number(), busyCores: z.number(), memoryMiB: z.number() }),
    worker: z.object({ processes: z.number() }),
    postgres: z.object({ connections: z.number(), maxConnections: z.number() }),
    disk: z.object({ aDay: z.number() }),
  }),
})

/** Everything that a database holds of money and keys, as one text, and the schemas beside it. */
async function contentOf(): Promise<unknown> {
  const { rows } = await mainPool().query(
    `SELECT (SELECT array_agg(x) FROM account x) AS accounts, (SELECT array_agg(x) FROM ledger x) AS ledger,
       (SELECT count(*) FROM receipt) AS receipts, (SELECT array_agg(x) FROM "key" x) AS keys,
       (SELECT count(*) FROM holder) AS holders, (SELECT count(*) FROM hold) AS holds, (SELECT count(*) FROM owner) AS owners,
       (SELECT array_agg(nspname ORDER BY nspname) FROM pg_namespace WHERE nspname !~ '^pg_') AS schemas`,
  )
  return rows
}

const isThere = async (): Promise<boolean> =>
  (await mainPool().query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [SCRATCH_SCHEMA])).rows.length > 0

/** The command as `npm run admin` starts it, with its launcher. */
const startCapacity = (): ChildProcess =>
  spawn(process.execPath, [path.join('server', 'cli', 'run.mjs'), 'admin', 'capacity', '--rps=50', '--seconds=50'], {
    cwd: PROJECT_ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  })

async function untilMeasuring(command: ChildProcess): Promise<void> {
  const receipts = async () =>
    Number((await mainPool().query(`SELECT count(*) AS n FROM ${SCRATCH_SCHEMA}.receipt`)).rows[0].n)
  await pollUntil('the measurement', async () => {
    if (command.exitCode !== null) throw new Error(`the command ended with ${command.exitCode}`)
    return (await receipts().catch(() => 0)) > 50
  })
}

let before: unknown
beforeAll(async () => {
  await makeCaller()
  before = await contentOf()
})

describe('capacity', () => {
  it('measures what a call costs, and its plan grows with the load; no row of the service changes', async () => {
    const journals = () => readdirSync(dataPath())
    const files = journals()
    const small = Found.parse(await runAdminJson(['capacity', '--rps', '100', '--seconds', '3']))
    const large = Found.parse(await runAdminJson(['capacity', '--rps', '9000', '--agents', '200', '--seconds', '3']))
    for (const { measured } of [small, large]) {
      expect(measured.diskBytes).toBeGreaterThan(400)
      expect(measured.diskBytes).toBeLessThan(2_000)
    }
    expect(small.measured.calls).toBeGreaterThan(200)
    expect(small.plan).toMatchObject({ web: { processes: 1 }, worker: { processes: 0 } })
    expect(large.plan.worker.processes).toBe(5)
    expect(large.plan.web.processes).toBeGreaterThan(3)
    expect(large.plan.web.memoryMiB).toBeGreaterThan(3 * small.plan.web.memoryMiB)
    expect(large.plan.postgres.connections).toBeGreaterThan(small.plan.postgres.connections)
    expect(large.plan.disk.aDay).toBeGreaterThan(30 * small.plan.disk.aDay)
    expect(await contentOf()).toEqual(before)
    expect(journals()).toEqual(files)
  })

  it('leaves nothing when it is stopped by Ctrl-C', async () => {
    const command = startCapacity()
    const ended = once(command, 'exit')
    await untilMeasuring(command)
    command.kill('SIGINT')
    expect(await ended).toEqual([130, null])
    expect(await contentOf()).toEqual(before)
  })

  it('removes what a killed one left, and refuses while another measures', async () => {
    const command = startCapacity()
    const ended = once(command, 'exit')
    await untilMeasuring(command)
    expect(await runAdminJson(['capacity', '--rps', '50'])).toMatchObject({
      code: 1,
      error: 'Another capacity command measures this database.',
    })
    command.kill('SIGKILL')
    await ended
    expect(await isThere()).toBe(true)
    expect(await runAdminJson(['capacity', '--rps', '50', '--seconds', '1'])).toMatchObject({ code: 0 })
    expect(await contentOf()).toEqual(before)
  })

  it('leaves nothing when the measurement fails', async () => {
    const command = startCapacity()
    const [said, ended] = [text(command.stderr ?? process.stdin), once(command, 'exit')]
    await untilMeasuring(command)
    await mainPool().query(`ALTER TABLE ${SCRATCH_SCHEMA}.receipt RENAME TO receipt_gone`)
    expect(await ended).toEqual([1, null])
    expect(await said).toContain('receipt')
    expect(await contentOf()).toEqual(before)
  })

  it('says what the role lacks', async () => {
    const url = String(process.env.DATABASE_URL)
    const admin = new pg.Client({ connectionString: superuserUrlOf(url) })
    await admin.connect()
    const name = new URL(url).pathname.slice(1)
    const owner = new URL(url).username
    try {
      await admin.query(`ALTER DATABASE ${name} OWNER TO CURRENT_USER`)
      const refused = await runAdminJson(['capacity', '--rps', '50'])
      expect(refused).toMatchObject({ code: 1, error: expect.stringContaining(`GRANT CREATE ON DATABASE ${name} TO`) })
      await admin.query(`GRANT CREATE ON DATABASE ${name} TO ${owner}`)
      expect(await runAdminJson(['capacity', '--rps', '50', '--seconds', '1'])).toMatchObject({ code: 0 })
    } finally {
      await admin.query(`ALTER DATABASE ${name} OWNER TO ${owner}`)
      await admin.end()
    }
  })

  it('names what is missing or out of bounds', async () => {
    expect(await runAdminJson(['capacity'])).toMatchObject({ code: 1, error: '--rps is missing: requests a second.' })
    expect(await runAdminJson(['capacity', '--rps', '0'])).toMatchObject({
      code: 1,
      error: '--rps must be between 1 and 100000.',
    })
  })
})
