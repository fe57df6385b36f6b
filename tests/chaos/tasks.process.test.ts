import { afterEach, expect, it } from 'vitest'
import { withSandbox } from '../support/api'
import { expireLeases, readOwnerMoney } from '../support/ledger'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { startWebProcess, type WebProcess } from '../support/web-process'
import { withReceiver } from '../support/webhook-receiver'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()
const receiver = withReceiver()
const webs: WebProcess[] = []
afterEach(async () => {
  await Promise.all(webs.splice(0).map((web) => web.kill('SIGKILL')))
})

const start = async () => {
  const web = await startWebProcess({ ALLOW_PRIVATE_HOSTS: `127.0.0.1:${receiver.port()}` })
  webs.push(web)
  return web
}

type Asked = { path: string; body?: object }

async function ask({ url }: WebProcess, key: string, { path, body }: Asked) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'respond-async' }
  const init = body && { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(`${url}/api/v1${path}`, { headers, ...init })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

const slow = (path: string) => ({
  path: '/query',
  body: { tool: 'crypto_get_prices', params: { coinIds: ['sandbox-slow'] }, callbackUrl: receiver.url(path) },
})

const status = async (web: WebProcess, key: string, taskId: unknown) =>
  (await ask(web, key, { path: `/tasks/${taskId}` })).body.status

it('a task whose web process is killed is failed, free, and its callback URL gets one event', async () => {
  const { owner, key } = await makeCaller()
  const web = await start()
  const { body } = await ask(web, key.key, slow('/killed'))
  expect(await readOwnerMoney(owner)).toMatchObject({ held: 3, holds: 1 })
  await web.kill('SIGKILL')
  const next = await start()
  expect(await status(next, key.key, body.taskId)).toBe('working')
  await expireLeases()
  await pollUntil('the end', async () => (await status(next, key.key, body.taskId)) === 'failed')
  expect(await readOwnerMoney(owner)).toMatchObject({ available: 1_000, held: 0, charged: 0, holds: 0 })
  await pollUntil('the event', async () => receiver.received('/killed').length > 0)
  expect(JSON.parse(String(receiver.received('/killed')[0]?.body))).toMatchObject({
    type: 'task.failed',
    data: { taskId: body.taskId, creditsCharged: 0 },
  })
})

it('a shutdown waits for a task: it is completed, charged once, and its event is sent', async () => {
  const { owner, key } = await makeCaller()
  const web = await start()
  const { body } = await ask(web, key.key, slow('/drained'))
  await web.kill('SIGTERM')
  const next = await start()
  expect(await status(next, key.key, body.taskId)).toBe('completed')
  expect(await readOwnerMoney(owner)).toMatchObject({ charged: 3, held: 0, receipts: 1 })
  await pollUntil('the event', async () => receiver.received('/drained').length > 0)
  expect(receiver.received('/drained')).toHaveLength(1)
})
