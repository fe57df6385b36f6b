import { expect, test } from 'vitest'
import { makeJob } from '../../../tests/support/job'
import { makeCaller } from '../../../tests/support/owners'
import { runRetentionTask } from '../../../tests/support/retention-task'
import { mainPool } from '../../db'
import type { JobStatus } from '../shape'
import { oldOutputs } from './old-outputs'

const LARGE = { rows: Array.from({ length: 200 }, (_, i) => `row ${i} ${Math.random()}`) }

/** A job with a model step, a large tool result and a small one, last touched `days` ago. */
async function jobOf(who: { ownerId: number; keyId: number }, status: JobStatus, days: number): Promise<string> {
  const id = await makeJob({ ...who, status })
  await mainPool().query(
    `INSERT INTO step (job_id, index, run_id, kind, name, output, started_at) VALUES
       ($1, 0, $1, 'model', 'm', $2, now()), ($1, 1, $1, 'tool', 't', $2, now()), ($1, 2, $1, 'tool', 't', '{"ok": true}', now())`,
    [id, LARGE],
  )
  await mainPool().query('UPDATE job SET updated_at = now() - make_interval(days => $2) WHERE id = $1', [id, days])
  if (status === 'completed' || status === 'failed')
    await mainPool().query('UPDATE turn SET ended_at = now() - make_interval(days => $2) WHERE job_id = $1', [id, days])
  return id
}

const outputsOf = async (id: string) =>
  (await mainPool().query('SELECT output FROM step WHERE job_id = $1 ORDER BY index', [id])).rows.map((r) => r.output)

test('large results of tools in conversations that ended long ago become a note; all else stays', async () => {
  const { owner, key } = await makeCaller()
  const who = { ownerId: owner.id, keyId: key.id }
  const old = await Promise.all(Array.from({ length: 25 }, (_, i) => jobOf(who, 'completed', 91 + (i % 3))))
  const kept = [
    await jobOf(who, 'completed', 89),
    await jobOf(who, 'running', 95),
    await jobOf(who, 'awaiting_input', 95),
  ]
  expect(await oldOutputs(90)?.count()).toBe(25)
  const { deleted, steps } = await runRetentionTask(oldOutputs(90))
  expect([deleted, steps > 1]).toEqual([25, true])
  for (const id of old) {
    expect(await outputsOf(id)).toEqual([
      LARGE,
      'This result was deleted 90 days after the conversation ended.',
      { ok: true },
    ])
  }
  for (const id of kept) expect((await outputsOf(id))[1]).toEqual(LARGE)
  expect(await oldOutputs(90)?.count()).toBe(0)
  expect(await runRetentionTask(oldOutputs(90))).toMatchObject({ deleted: 0 })
})

test('a conversation that went on later is cleaned when its last turn is long over', async () => {
  const { owner, key } = await makeCaller()
  const id = await jobOf({ ownerId: owner.id, keyId: key.id }, 'failed', 91)
  await mainPool().query(`UPDATE job SET status = 'running', updated_at = now() - interval '89 days' WHERE id = $1`, [
    id,
  ])
  await mainPool().query(`UPDATE retention SET deleted = NULL WHERE name = 'run_outputs'`)
  await runRetentionTask(oldOutputs(90))
  expect((await outputsOf(id))[1]).toEqual(LARGE)
  await mainPool().query(`UPDATE job SET status = 'completed' WHERE id = $1`, [id])
  await mainPool().query(`UPDATE turn SET ended_at = now() - interval '89 days' WHERE job_id = $1`, [id])
  await runRetentionTask(oldOutputs(90))
  expect((await outputsOf(id))[1]).toEqual(LARGE)
  await runRetentionTask(oldOutputs(88))
  expect((await outputsOf(id))[1]).toMatch(/deleted 88 days/)
  expect(oldOutputs(0)).toBeNull()
})
