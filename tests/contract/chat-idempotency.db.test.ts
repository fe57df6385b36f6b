import { describe, expect, it } from 'vitest'
import { withSandbox } from '../support/api'
import { expectChatError, makeChatter, sandboxUpstream, scriptedBody, sendChat } from '../support/chat'
import { readOwnerMoney } from '../support/ledger'

withSandbox()
const withKey = (token: string) => ({ 'idempotency-key': token })

describe('Idempotency-Key', () => {
  it('replays the answer, marked, with no second charge, call or receipt', async () => {
    const { owner, key } = await makeChatter()
    const first = await sendChat(key.key, scriptedBody({ text: 'once' }), withKey('a'))
    const again = await sendChat(key.key, scriptedBody({ text: 'once' }), withKey('a'))
    expect(first.headers.has('idempotent-replayed')).toBe(false)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again).toMatchObject({ status: 200, body: first.body })
    expect(again.body.service).toEqual({ credits_charged: 1 })
    expect(await sandboxUpstream.calls()).toBe(1)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 1, receipts: 1, held: 0 })
  })

  it('is 422 with another body and 409 while the first is in progress', async () => {
    const { owner, key } = await makeChatter()
    const slow = scriptedBody({ text: 'once', delayMs: 1_000 })
    const first = sendChat(key.key, slow, withKey('a'))
    await expect.poll(sandboxUpstream.calls).toBe(1)
    expectChatError(await sendChat(key.key, slow, withKey('a')), 409, 'conflict', 'invalid_request_error')
    expect(await first).toMatchObject({ status: 200 })
    const other = await sendChat(key.key, scriptedBody({ text: 'twice' }), withKey('a'))
    expectChatError(other, 422, 'idempotency_mismatch', 'invalid_request_error')
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 1, receipts: 1, held: 0 })
  })

  it('comes after 403 and before 402', async () => {
    const { key } = await makeChatter(1, { allowedModels: ['northwind/gale-4'] })
    const body = scriptedBody({ text: 'x' }, { max_tokens: 10, messages: [{ role: 'user', content: 'x' }] })
    expect(await sendChat(key.key, body, withKey('a'))).toMatchObject({ status: 200 })
    expect(await sendChat(key.key, body, withKey('a'))).toMatchObject({ status: 200 })
    expect(await sendChat(key.key, { ...body, n: 2 }, withKey('a'))).toMatchObject({ status: 422 })
    expect(await sendChat(key.key, body, withKey('b'))).toMatchObject({ status: 402 })
    expect(await sendChat(key.key, { ...body, model: 'tidepool/kelp-ocean' }, withKey('a'))).toMatchObject({
      status: 403,
    })
  })

  it('is free again after a failure, which is not stored', async () => {
    const { owner, key } = await makeChatter()
    const body = scriptedBody({ text: 'ok', status: 500, failTimes: 1 })
    expectChatError(await sendChat(key.key, body, withKey('a')), 502, 'upstream_error', 'upstream_error')
    const again = await sendChat(key.key, body, withKey('a'))
    expect(again.status).toBe(200)
    expect(again.headers.has('idempotent-replayed')).toBe(false)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 1, receipts: 2 })
  })

  it('replays a stream as it was, to its last byte', async () => {
    const { owner, key } = await makeChatter()
    const streamed = scriptedBody({ text: 'once or twice', chunks: 3 }, { stream: true })
    const first = await sendChat(key.key, streamed, withKey('a'))
    const again = await sendChat(key.key, streamed, withKey('a'))
    expect(first.headers.has('idempotent-replayed')).toBe(false)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.text).toBe(first.text)
    expect(await sandboxUpstream.calls()).toBe(1)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 1, receipts: 1, held: 0 })
  })

  it('is 400 when it is not printable', async () => {
    const { key } = await makeChatter()
    expectChatError(
      await sendChat(key.key, scriptedBody(), withKey('a b')),
      400,
      'invalid_request',
      'invalid_request_error',
    )
  })
})
