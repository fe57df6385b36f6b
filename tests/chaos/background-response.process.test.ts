import { afterEach, expect, it } from 'vitest'
import { withSandbox } from '../support/api'
import { makeChatter } from '../support/chat'
import { expireLeases, readOwnerMoney } from '../support/ledger'
import { pollUntil } from '../support/poll-until'
import { scriptedResponse } from '../support/responses'
import { startWebProcess, type WebProcess } from '../support/web-process'

withSandbox()
let webs: WebProcess[] = []
afterEach(async () => {
  await Promise.all(webs.map((web) => web.kill('SIGKILL')))
  webs = []
})

type Response = { id: string; status: string; service?: { credits_charged: number } }

const start = async () => {
  const web = await startWebProcess()
  webs.push(web)
  return web
}

async function ask(web: WebProcess, key: string, path: string, body?: object): Promise<Response> {
  const answer = await fetch(`${web.url}/api/v1/responses${path}`, {
    method: body || path.endsWith('/cancel') ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as Response
}

const slow = scriptedResponse({ text: 'Late.', delayMs: 60_000 }, { background: true })

it('a response in the background whose process is killed is read as failed elsewhere, and costs nothing', async () => {
  const { owner, key } = await makeChatter()
  const [one, two] = [await start(), await start()]
  const { id, status } = await ask(one, key.key, '', slow)
  expect(status).toBe('queued')
  expect((await readOwnerMoney(owner)).held).toBeGreaterThan(0)
  await one.kill('SIGKILL')
  expect((await ask(two, key.key, `/${id}`)).status).toBe('in_progress')
  await expireLeases()
  const three = await start()
  const failed = await pollUntil('the response is failed', async () => {
    const response = await ask(three, key.key, `/${id}`)
    return response.status === 'failed' ? response : null
  })
  expect(failed.service).toEqual({ credits_charged: 0 })
  expect(await readOwnerMoney(owner)).toMatchObject({ charged: 0, held: 0, holds: 0 })
})

it('one that another process is asked to cancel is stopped, and charged for what was asked', async () => {
  const { owner, key } = await makeChatter()
  const [one, two] = [await start(), await start()]
  const { id } = await ask(one, key.key, '', slow)
  const cancelled = await ask(two, key.key, `/${id}/cancel`)
  expect(cancelled.status).toBe('cancelled')
  const { charged, held } = await readOwnerMoney(owner)
  expect(held).toBe(0)
  expect(cancelled.service).toEqual({ credits_charged: charged })
})
