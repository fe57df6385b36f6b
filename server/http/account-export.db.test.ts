import { gunzipSync, gzipSync } from 'node:zlib'
import { strFromU8, unzipSync } from 'fflate'
import { beforeEach, expect, test } from 'vitest'
import { makeDelivery, makeJob } from '../../tests/support/job'
import { browserHeaders, forgetAttempts, signUpSomebody } from '../../tests/support/signed-in'
import { recordAudit } from '../accounts/audit'
import type { SessionCookie } from '../accounts/session'
import { writeRow } from '../chat/responses/rows'
import { grantCredits } from '../credits/grant'
import { prisma } from '../db'
import { uuidv7 } from '../kit/id'
import { accountExportHandler } from './account-export'

beforeEach(forgetAttempts)

const ask = (cookie?: SessionCookie, init: RequestInit = {}) =>
  accountExportHandler(
    new Request('http://localhost:3000/settings/account/export', { headers: browserHeaders(cookie), ...init }),
  )

/** The files of an export, by name, as their lines. */
async function filesOf(answer: Response): Promise<Record<string, string[]>> {
  const entries = Object.entries(unzipSync(new Uint8Array(await answer.arrayBuffer())))
  return Object.fromEntries(entries.map(([name, bytes]) => [name, strFromU8(bytes).split('\n').filter(Boolean)]))
}
const parsed = (lines: string[] | undefined): Record<string, unknown>[] => (lines ?? []).map((line) => JSON.parse(line))

const ndjson = (name: string) => `${name}.ndjson`

test('an export has everything of its owner, without secrets, and nothing of another', async () => {
  const [one, two] = [await signUpSomebody(), await signUpSomebody()]
  await two.api.keys.create({ name: 'not mine' })
  const key = await one.api.keys.create({ name: 'mine', agent: true, llm: true, tags: ['a'] })
  await grantCredits(one.id, 77n, 'a gift')
  const jobIds = [
    await makeJob({ ownerId: one.id, keyId: key.id, status: 'completed', title: 'Look' }),
    await makeJob({ ownerId: one.id, keyId: key.id, status: 'failed' }),
  ]
  await makeDelivery(one.id, jobIds[0] ?? '')
  for (const jobId of jobIds) {
    const { runId } = await prisma().job.findUniqueOrThrow({ where: { id: jobId } })
    await prisma().step.createMany({
      data: Array.from({ length: 30 }, (_, index) => ({
        ...{ jobId, runId, index, kind: 'tool', name: 'web_search', startedAt: new Date() },
        output: { found: `${jobId} ${index}` },
      })),
    })
  }
  const kept = { input: [{ role: 'user', content: 'Hello' }], response: { status: 'completed' } }
  await writeRow({ ownerId: one.id, days: 1 }, { id: uuidv7(), kind: 'response' }, kept)
  await writeRow({ ownerId: two.id, days: 1 }, { id: uuidv7(), kind: 'response' }, kept)
  const answer = await ask(one.cookie)
  expect(answer.headers.get('content-type')).toBe('application/zip')
  const files = await filesOf(answer)
  expect(Object.keys(files)).toEqual([
    'profile.json',
    ...['keys', 'ledger', 'receipts', 'request-log', 'refusals', 'jobs', 'schedules', 'files', 'sites'].map(ndjson),
    ...['task-deliveries', 'notices', 'audit-log', 'responses', 'turns', 'steps', 'webhook-deliveries'].map(ndjson),
  ])
  expect(JSON.parse((files['profile.json'] ?? []).join('\n'))).toMatchObject({ email: one.email, providers: [] })
  expect(parsed(files['responses.ndjson'])).toEqual([expect.objectContaining(kept)])
  expect(parsed(files['keys.ndjson'])).toMatchObject([{ name: 'mine', tags: ['a'] }])
  expect(parsed(files['ledger.ndjson'])).toContainEqual(expect.objectContaining({ amount: 77, note: 'a gift' }))
  expect(parsed(files['jobs.ndjson']).map(({ id }) => id)).toEqual(jobIds)
  expect(parsed(files['turns.ndjson'])).toHaveLength(2)
  expect(parsed(files['steps.ndjson']).map(({ job_id, index }) => [job_id, index])).toEqual(
    jobIds.flatMap((jobId) => Array.from({ length: 30 }, (_, index) => [jobId, index])),
  )
  expect(parsed(files['webhook-deliveries.ndjson'])).toHaveLength(1)
  const text = JSON.stringify(files)
  for (const secret of [key.key, 'not mine', two.email, 'password']) expect(text).not.toContain(secret)
  expect((await one.api.account.audit({ limit: 1 })).rows).toMatchObject([{ action: 'data_exported' }])
})

test('rows join over pages, in order, each once', async () => {
  const { id, cookie } = await signUpSomebody()
  for (let i = 0; i < 5; i++)
    await prisma().auditEvent.createMany({
      data: Array.from({ length: 100 }, (_, n) => ({
        ...{ ownerId: id, actorKind: 'owner', action: 'settings_changed', subject: String(i * 100 + n) },
        // Many at the same time: their ids decide.
        at: new Date(Date.UTC(2026, 0, 1 + i)),
      })),
    })
  const subjects = parsed((await filesOf(await ask(cookie)))['audit-log.ndjson'])
    .map(({ subject }) => subject)
    .filter((subject) => subject !== null)
  expect(subjects).toEqual(Array.from({ length: 500 }, (_, n) => String(n)))
})

test('datasets are gzipped CSV', async () => {
  const { id, cookie } = await signUpSomebody()
  await prisma().dataset.create({
    data: {
      ...{ ownerId: id, name: 'towers', columns: [{ name: 'name', type: 'text' }], rowCount: 1 },
      rows: new Uint8Array(gzipSync(JSON.stringify([['=1+1']]))),
    },
  })
  const entries = unzipSync(new Uint8Array(await (await ask(cookie)).arrayBuffer()))
  expect(String(gunzipSync(entries['datasets/towers.csv.gz'] ?? new Uint8Array()))).toMatch(/^name\r?\n'=1\+1/)
})

test('a reader who leaves ends it, and may read another one', async () => {
  const { id, cookie } = await signUpSomebody()
  for (let i = 0; i < 3; i++)
    await recordAudit(prisma(), { ownerId: id, action: 'settings_changed', subject: 'x'.repeat(5_000) })
  const reader = (await ask(cookie)).body?.getReader()
  expect((await reader?.read())?.value?.byteLength).toBeGreaterThan(0)
  await reader?.cancel()
  expect(Object.keys(await filesOf(await ask(cookie)))).toContain('audit-log.ndjson')
})

test('five an hour, for whoever is signed in', async () => {
  const { cookie } = await signUpSomebody()
  expect((await ask()).status).toBe(401)
  expect((await ask(cookie, { method: 'POST' })).status).toBe(405)
  for (let i = 0; i < 5; i++) expect((await filesOf(await ask(cookie)))['profile.json']).toBeDefined()
  expect((await ask(cookie)).status).toBe(429)
})
