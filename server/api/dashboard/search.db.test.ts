import { describe, expect, it } from 'vitest'
import { withSandbox } from '../../../tests/support/api'
import { takeHold } from '../../../tests/support/hold'
import { makeJob } from '../../../tests/support/job'
import { makeCaller } from '../../../tests/support/owners'
import { settleById } from '../../../tests/support/settle'
import { makeSessionCookie } from '../../accounts/session'
import { mainPool, prisma } from '../../db'
import { revokeKey } from '../../keys/revoke'
import { makeContext } from '../context'
import { appRouter } from '../router'
import { createCallerFactory } from '../trpc'

withSandbox()

/** Somebody signed in, with a key, a job and a receipt. */
async function person(name: string) {
  const { owner, key } = await makeCaller(1_000, { name: `${name} key` })
  const jobId = await makeJob({ ownerId: owner.id, keyId: key.id, status: 'completed', title: `${name} report` })
  const requestId = await takeHold(owner, 5, { keyId: key.id })
  await settleById({ id: requestId, actual: 5n, status: 'ok' })
  const { name: cookie, value } = await makeSessionCookie(
    await prisma().owner.findUniqueOrThrow({ where: { id: owner.id } }),
  )
  const headers = new Headers({ cookie: `${cookie}=${value}` })
  const { search } = createCallerFactory(appRouter)(makeContext({ via: 'session', headers }))
  const find = async (q: string) => (await search.everything({ q })).map(({ kind, href }) => `${kind} ${href}`)
  return { owner, key, jobId, requestId, find }
}

describe('searching everything', () => {
  it('finds keys and jobs by the words of their names, and tools and models', async () => {
    const me = await person('Harbour')
    expect(await me.find('harbour')).toEqual([`key /keys/${me.key.id}`, `job /jobs/${me.jobId}`])
    expect(await me.find('REPORT harb')).toEqual([`job /jobs/${me.jobId}`])
    expect(await me.find('web_search')).toContain('tool /catalog/web_search')
    expect(await me.find('gale-4')).toContain('model /models?model=northwind%2Fgale-4')
    expect(await me.find('harbour nowhere')).toEqual([])
    expect(await me.find('  ')).toEqual([])
    expect(await me.find('%')).toEqual([])
  })

  it('finds receipts and jobs by id, also when it is typed in capitals', async () => {
    const me = await person('Ledger')
    expect(await me.find(me.requestId.toUpperCase())).toEqual([`receipt /usage?receipt=${me.requestId}`])
    expect(await me.find(` ${me.jobId} `)).toEqual([`job /jobs/${me.jobId}`])
  })

  it('finds nothing of another owner', async () => {
    const [me, other] = [await person('Mine'), await person('Theirs')]
    for (const q of ['theirs', 'theirs key', 'theirs report', other.jobId, other.requestId]) {
      expect(await me.find(q), q).toEqual([])
    }
  })

  it('shows a few of each kind, and usable keys before revoked ones', async () => {
    const me = await person('Many')
    await mainPool().query(
      `INSERT INTO "key" (owner_id, name) SELECT $1, 'crowd ' || n FROM generate_series(1, 500) n`,
      [me.owner.id],
    )
    await mainPool().query(
      `INSERT INTO job (id, owner_id, title, status, run_id)
        SELECT gen_random_uuid(), $1, 'crowd ' || n, 'completed', gen_random_uuid() FROM generate_series(1, 500) n`,
      [me.owner.id],
    )
    const found = await me.find('crowd')
    expect(found.filter((row) => row.startsWith('key'))).toHaveLength(6)
    expect(found.filter((row) => row.startsWith('job'))).toHaveLength(6)
    await mainPool().query(`UPDATE "key" SET name = 'crowd of old' WHERE id = $1`, [me.key.id])
    await revokeKey(me.owner.id, me.key.id)
    expect(await me.find('crowd of old')).toEqual([`key /keys/${me.key.id}`])
    expect(await me.find('crowd')).not.toContain(`key /keys/${me.key.id}`)
  })
})
