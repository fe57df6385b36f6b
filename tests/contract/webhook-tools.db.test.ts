import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { getSigningSecret } from '../../server/agent/webhooks/secret'
import { send, withSandbox } from '../support/api'
import { expectUntouched } from '../support/ledger'
import { makeCaller, makeKey } from '../support/owners'
import { answerWith, type Received, withReceiver } from '../support/webhook-receiver'

withSandbox()
const receiver = withReceiver()
/** The address guard does not allow this one. */
const inner = withReceiver({ allowed: false })

const AGENT = { agent: true }
const test = (key: string, body: object) => send('/api/v1/webhooks/test', { key, body })

describe('GET /webhooks/secret', () => {
  it('is the secret of the key’s owner, and no other’s', async () => {
    const [one, two] = [await makeCaller(1_000, AGENT), await makeCaller(1_000, AGENT)]
    const { status, body } = await send('/api/v1/webhooks/secret', { key: one.key.key })
    expect([status, body.secret]).toEqual([200, (await getSigningSecret(one.owner.id)).secret])
    expect((await send('/api/v1/webhooks/secret', { key: two.key.key })).body.secret).not.toBe(body.secret)
  })

  it('401 without a key, 403 for a key that starts no runs', async () => {
    const { owner } = await makeCaller()
    const { key } = await makeKey(owner, { agent: false })
    expect((await send('/api/v1/webhooks/secret')).status).toBe(401)
    expect((await send('/api/v1/webhooks/secret', { key })).status).toBe(403)
    expect((await test(key, { url: receiver.url() })).status).toBe(403)
  })
})

describe('POST /webhooks/test', () => {
  it('sends one signed event, and says what the receiver answered', async () => {
    const { owner, key } = await makeCaller(1_000, AGENT)
    receiver.play('/test', answerWith(204))
    const { status, body } = await test(key.key, { url: receiver.url('/test') })
    expect({ status, body }).toMatchObject({ status: 200, body: { isDelivered: true, answerStatus: 204, error: null } })
    const [got, ...more] = receiver.received('/test') as [Received, ...Received[]]
    expect(more).toEqual([])
    expect(got.headers['webhook-id']).toBe(body.id)
    const secret = new Webhook((await getSigningSecret(owner.id)).secret)
    expect(secret.verify(got.body, got.headers)).toMatchObject({ type: 'webhook.test' })
    await expectUntouched(owner)
  })

  it('a receiver that fails, and one that does not answer, are answers', async () => {
    const { key } = await makeCaller(1_000, AGENT)
    receiver.play('/500', answerWith(500, {}, 'oops'))
    const failed = await test(key.key, { url: receiver.url('/500') })
    expect(failed.body).toMatchObject({ isDelivered: false, answerStatus: 500, answerBody: 'oops' })
    const silent = await test(key.key, { url: 'http://hooks.invalid/' })
    expect(silent.body).toMatchObject({ isDelivered: false, answerStatus: null, error: expect.any(String) })
  })

  it('400 for an address that is not public, and for none', async () => {
    const { key } = await makeCaller(1_000, AGENT)
    for (const url of [inner.url(), 'http://10.0.0.1/', 'ftp://x.test', '']) {
      expect((await test(key.key, { url })).status).toBe(400)
    }
    expect(inner.received('/')).toEqual([])
  })
})
