import { describe, expect, it } from 'vitest'
import { makeSessionCookie } from '../../server/accounts/session'
import { prisma } from '../../server/db'
import { readSteps, scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { send, type TestResponse, withSandbox } from '../support/api'
import { makeKey, makeOwner, type TestOwner } from '../support/owners'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

async function cookieOf({ id }: TestOwner): Promise<string> {
  const { name, value } = await makeSessionCookie(await prisma().owner.findUniqueOrThrow({ where: { id } }))
  return `${name}=${value}`
}

const act = async (owner: TestOwner, path: string, body?: unknown) =>
  send(`/api/trpc/settings.${path}`, {
    headers: { cookie: await cookieOf(owner) },
    ...(body === undefined ? {} : { body }),
  })

type Payload = {
  result?: { data: Record<string, unknown> }
  error?: { message: string; data: Record<string, unknown> }
}
const dataOf = ({ body }: TestResponse) => (body as Payload).result?.data

describe('settings', () => {
  it('begin empty, and belong to one owner each', async () => {
    const [owner, other] = [await makeOwner(), await makeOwner()]
    const none = {
      defaultModel: null,
      disabledTools: [],
      outsideApproval: 'ask',
      autoModel: false,
      databaseLabel: null,
      canConnect: true,
    }
    expect(dataOf(await act(owner, 'get'))).toEqual(none)
    const saved = await act(owner, 'save', { defaultModel: 'northwind/gale-4-mini', disabledTools: ['web_search'] })
    expect(dataOf(saved)).toEqual({ ...none, defaultModel: 'northwind/gale-4-mini', disabledTools: ['web_search'] })
    expect(dataOf(await act(owner, 'save', { defaultModel: null }))).toMatchObject({ disabledTools: ['web_search'] })
    expect(dataOf(await act(owner, 'save', { outsideApproval: 'never', autoModel: true }))).toMatchObject({
      autoModel: true,
      disabledTools: ['web_search'],
      outsideApproval: 'never',
    })
    expect(dataOf(await act(other, 'get'))).toEqual(none)
  })

  it.each([
    [{ defaultModel: 'no/such' }, /no chat model/],
    [{ defaultModel: 'brushworks/umber-1' }, /no chat model/],
    [{ disabledTools: ['no_such_tool'] }, /no tool/],
    [{ outsideApproval: 'sometimes' }, /Invalid/],
    [{ nobodyKnows: 1 }, /Unrecognized/],
  ])('refuse %j', async (body, why) => {
    const answer = await act(await makeOwner(), 'save', body)
    expect(answer.status).toBe(400)
    expect((answer.body as Payload).error?.message).toMatch(why)
  })

  it('have a signing secret for webhooks, which is rotated with an overlap or at once', async () => {
    const [owner, other] = [await makeOwner(), await makeOwner()]
    const first = dataOf(await act(owner, 'webhookSecret'))
    expect(first).toEqual({
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      createdAt: expect.any(String),
      previousUntil: null,
    })
    expect(dataOf(await act(owner, 'webhookSecret'))).toEqual(first)
    const rotated = dataOf(await act(owner, 'rotateWebhookSecret', {}))
    expect(rotated).toMatchObject({ previousUntil: expect.any(String) })
    expect(rotated?.secret).not.toBe(first?.secret)
    const again = await act(owner, 'rotateWebhookSecret', { overlapHours: 1 })
    expect([again.status, (again.body as Payload).error?.data.appCode]).toEqual([409, 'conflict'])
    expect(dataOf(await act(owner, 'webhookSecret'))).toEqual(rotated)
    const now = dataOf(await act(owner, 'rotateWebhookSecret', { overlapHours: 0 }))
    expect(now?.previousUntil).toBeNull()
    expect(now?.secret).not.toBe(rotated?.secret)
    for (const overlapHours of [-1, 169, 0.5])
      expect((await act(owner, 'rotateWebhookSecret', { overlapHours })).status).toBe(400)
    expect(dataOf(await act(owner, 'webhookSecret'))).toEqual(now)
    expect(dataOf(await act(other, 'webhookSecret'))?.secret).not.toBe(now?.secret)
    expect((await send('/api/trpc/settings.webhookSecret')).status).toBe(401)
  })

  it('need a signed-in owner', async () => {
    expect((await send('/api/trpc/settings.get')).status).toBe(401)
  })

  it('refuse a database that is not public, and say why', async () => {
    const answer = await act(await makeOwner(), 'connectDatabase', { url: 'postgres://u:secret@10.0.0.1/db' })
    expect(answer.status).toBe(400)
    expect((answer.body as Payload).error?.message).toContain('not a public address')
    expect(answer.text).not.toContain('secret')
  })
})

describe('a run', () => {
  it('takes the default model, and none of the tools that were switched off', async () => {
    const owner = await makeOwner(10_000)
    const { key } = await makeKey(owner, { agent: true })
    await act(owner, 'save', { defaultModel: 'northwind/gale-4-mini', disabledTools: ['web_search'] })
    const goal = scriptedGoal({
      turns: [{ toolCalls: [{ name: 'web_search', arguments: { query: 'x' } }] }, { text: 'Done.' }],
    })
    const { body } = await startAgentRun(key, { goal })
    expect(body.model).toBe('northwind/gale-4-mini')
    await untilStatus(key, body.jobId, 'completed', 'failed')
    const steps = await readSteps(key, body.jobId)
    expect(steps[0]?.input.tools).not.toContain('web_search')
    expect(steps[1]?.error?.code).toBe('unknown_tool')
  })
})
