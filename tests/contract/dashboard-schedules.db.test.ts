import { expect, it } from 'vitest'
import { makeSessionCookie } from '../../server/accounts/session'
import { prisma } from '../../server/db'
import { revokeKey } from '../../server/keys/revoke'
import { scriptedGoal, untilStatus } from '../support/agent'
import { send, type TestResponse, withSandbox } from '../support/api'
import { makeKey, makeOwner } from '../support/owners'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

type TrpcBody = { result?: { data: Record<string, unknown> }; error?: { data: Record<string, unknown> } }
const dataOf = ({ body }: TestResponse) => (body as TrpcBody).result?.data
const faultOf = ({ status, body }: TestResponse) => [status, (body as TrpcBody).error?.data.appCode]

it('an owner previews, makes, runs, changes, pauses, resumes and deletes a schedule of a key', async () => {
  const owner = await makeOwner(10_000)
  const session = await makeSessionCookie(await prisma().owner.findUniqueOrThrow({ where: { id: owner.id } }))
  const headers = { cookie: `${session.name}=${session.value}` }
  const act = (path: string, body: object) => send(`/api/trpc/schedules.${path}`, { headers, body })
  const read = (path: string, input: object) =>
    send(`/api/trpc/schedules.${path}?input=${encodeURIComponent(JSON.stringify(input))}`, { headers })
  const [key, narrow] = [
    await makeKey(owner, { agent: true, name: 'runner' }),
    await makeKey(owner, { name: 'no runs' }),
  ]

  const timing = { cron: '0 9 1 1 *', timeZone: 'Europe/Lisbon' }
  expect(dataOf(await read('preview', timing))?.nextRuns).toHaveLength(5)
  expect(faultOf(await read('preview', { ...timing, cron: '0 25 * * *' }))).toEqual([400, 'invalid_request'])

  const wanted = { ...timing, goal: scriptedGoal({ text: 'Done.' }), name: 'Yearly' }
  expect(faultOf(await act('create', { ...wanted, keyId: narrow.id }))).toEqual([403, 'forbidden'])
  const made = dataOf(await act('create', { ...wanted, keyId: key.id }))
  const { scheduleId } = made ?? {}
  expect(made).toMatchObject({ name: 'Yearly', keyName: 'runner', status: 'active' })

  const started = dataOf(await act('run', { scheduleId }))
  await untilStatus(key.key, started?.jobId, 'completed')
  expect(dataOf(await read('runs', { scheduleId }))).toMatchObject({ runs: [{ manual: true, jobId: started?.jobId }] })

  const other = await makeKey(owner, { agent: true, name: 'other' })
  expect(dataOf(await act('change', { scheduleId, keyId: other.id, name: 'Once' }))).toMatchObject({
    name: 'Once',
    keyName: 'other',
  })
  expect(dataOf(await act('pause', { scheduleId }))).toMatchObject({ paused: { by: 'owner' } })
  await revokeKey(owner.id, other.id)
  expect(faultOf(await act('resume', { scheduleId }))).toEqual([409, 'conflict'])
  expect(dataOf(await act('change', { scheduleId, keyId: key.id }))).toMatchObject({ status: 'paused' })
  expect(dataOf(await act('resume', { scheduleId }))).toMatchObject({ status: 'active', keyName: 'runner' })
  expect(dataOf(await act('remove', { scheduleId }))).toEqual({ scheduleId })
  expect(faultOf(await read('get', { scheduleId }))).toEqual([404, 'not_found'])
  expect(dataOf(await read('list', {}))).toEqual({ schedules: [], nextCursor: null })
})
