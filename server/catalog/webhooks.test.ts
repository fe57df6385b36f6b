import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { webhookHeaders } from '../agent/webhooks/attempt'
import { webhookSection } from './webhooks'

type ReadWebhook = (body: string, headers: Record<string, string>, secret: string) => unknown

/** The documented function itself. */
async function documented(): Promise<ReadWebhook> {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(webhookSection({ timeoutS: 10, retriesS: [5] })) ?? []
  const loaded = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)
  return loaded.readWebhook
}

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`
const [current, previous, other] = [secretOf(1), secretOf(2), secretOf(3)]
const body = JSON.stringify({ type: 'agent.completed', data: { result: 'Fünf €' } })
const headers = webhookHeaders('msg', body, [current, previous])

describe('the documented verification', () => {
  test.each([
    ['the current secret', current],
    ['the one before, during an overlap', previous],
  ])('accepts what is signed with %s', async (_what, secret) => {
    expect((await documented())(body, headers, secret)).toEqual(JSON.parse(body))
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  })

  test.each<[string, string, Record<string, string>, string]>([
    ['another secret', body, headers, other],
    ['a changed body', body.replace('€', '$'), headers, current],
    ['another id', body, { ...headers, 'webhook-id': 'msg2' }, current],
    ['a time long ago', body, { ...headers, 'webhook-timestamp': '1700000000' }, current],
    ['an invalid time', body, { ...headers, 'webhook-timestamp': 'soon' }, current],
    ['another version', body, { ...headers, 'webhook-signature': 'v2,AAAA' }, current],
    ['no signature', body, { 'webhook-id': 'msg', 'webhook-timestamp': String(headers['webhook-timestamp']) }, current],
  ])('refuses %s', async (_what, text, sent, secret) => {
    expect((await documented())(text, sent, secret)).toBeNull()
  })
})
