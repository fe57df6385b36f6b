import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { inTransaction, mainPool } from './db'

it('a connection lost between two statements fails its transaction, not the process', async () => {
  const lost = inTransaction(async (tx) => {
    const [row] = await tx.$queryRawUnsafe<{ pid: number }[]>('SELECT pg_backend_pid() AS pid')
    await mainPool().query('SELECT pg_terminate_backend($1)', [row?.pid])
    // Nothing is asked of the connection while it goes.
    await sleep(200)
    await tx.$queryRawUnsafe('SELECT 1')
  })
  await expect(lost).rejects.toMatchObject({ code: 'unavailable' })
  const { rows } = await mainPool().query('SELECT 1 AS one')
  expect(rows).toEqual([{ one: 1 }])
})

it('what a transaction wrote before it threw is undone, and its connection is used again', async () => {
  await expect(
    inTransaction(async (tx) => {
      await tx.$queryRawUnsafe("INSERT INTO rate_window (id, started_at, count) VALUES ('t', now(), 1)")
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  const { rowCount } = await mainPool().query("SELECT 1 FROM rate_window WHERE id = 't'")
  expect(rowCount).toBe(0)
})

it('the locks of a transaction whose process is frozen are released', async () => {
  await mainPool().query("INSERT INTO rate_window (id, started_at, count) VALUES ('frozen', now(), 1)")
  let thaw = () => {}
  const frozen = inTransaction(async (tx) => {
    await tx.$queryRawUnsafe("SELECT 1 FROM rate_window WHERE id = 'frozen' FOR UPDATE")
    await new Promise<void>((resolve) => {
      thaw = resolve
    })
    await tx.$queryRawUnsafe('SELECT 1')
  })
  const outcome = frozen.catch((error) => error)
  const lock = () => mainPool().query("SELECT 1 FROM rate_window WHERE id = 'frozen' FOR UPDATE NOWAIT")
  await expect.poll(() => lock().catch((error) => error.code)).toBe('55P03')
  await expect
    .poll(
      () =>
        lock()
          .then(({ rowCount }) => rowCount)
          .catch(() => 0),
      { timeout: 15_000 },
    )
    .toBe(1)
  thaw()
  expect(await outcome).toMatchObject({ code: 'unavailable' })
})
