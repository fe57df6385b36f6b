import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { saveNoticeSettings } from '../../server/notices/settings'
import { withSandbox } from '../support/api'
import { makeTestBudget } from '../support/budget'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { startMailServer } from '../support/smtp'
import { startWebProcess, type WebProcess } from '../support/web-process'
import { withReceiver } from '../support/webhook-receiver'
import { withWorkerProcesses } from '../support/worker-processes'

withSandbox()
const receiver = withReceiver()
const startWorker = withWorkerProcesses()
let mail: Awaited<ReturnType<typeof startMailServer>>
let webs: WebProcess[] = []

beforeAll(async () => {
  mail = await startMailServer()
  webs = await Promise.all([startWebProcess(), startWebProcess()])
})
afterAll(async () => {
  await Promise.all(webs.map((web) => web.kill('SIGKILL')))
  await mail.stop()
})

const CALLS = 100

it('says once that a budget is used to 80 %, and once that it refuses, under 100 calls over two processes and two workers', async () => {
  const { owner, key } = await makeCaller(10_000)
  await makeTestBudget(owner, { credits: 200, window: 'month', alertAt: [80] })
  const kinds = ['limit', 'limit_refused'] as const
  await saveNoticeSettings(owner.id, { alertAt: [80], callbackUrl: receiver.url('/notices'), kinds: [...kinds] })
  const env = {
    SMTP_URL: mail.url,
    SMTP_FROM: 'tollgate@example.com',
    ALLOW_PRIVATE_HOSTS: `127.0.0.1:${receiver.port()}`,
  }
  await Promise.all([startWorker(env), startWorker(env)])
  const call = async (n: number) => {
    const res = await fetch(`${webs[n % 2]?.url}/api/v1/query`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key.key}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } }),
    })
    await res.text()
    return res.status
  }
  const statuses = await Promise.all(Array.from({ length: CALLS }, (_, n) => call(n)))
  expect(new Set(statuses)).toEqual(new Set([200, 402]))
  // All of those may have waited for credits that others held: then no limit has refused yet.
  expect(await call(0)).toBe(402)

  const types = () => receiver.received('/notices').map(({ body }) => JSON.parse(body).type)
  await pollUntil('both webhooks', async () => types().length >= 2)
  await pollUntil('both e-mails', async () => /used 80 %/.test(textOfMails()) && /refused a call/.test(textOfMails()))
  // Nothing more comes with two further looks of each worker.
  const looks = Date.now() + 15_000
  await pollUntil('two further looks', async () => Date.now() > looks)
  expect(types().toSorted()).toEqual(['notice.limit', 'notice.limit_refused'])
  expect(textOfMails().match(/The budget shop has used 80 %/g)).toHaveLength(1)
  expect(textOfMails().match(/The budget shop refused a call/g)).toHaveLength(1)
})

/** The lines of all e-mails, without the subjects, which repeat them. */
const textOfMails = () => mail.mails.map(({ text }) => text).join('\n')
