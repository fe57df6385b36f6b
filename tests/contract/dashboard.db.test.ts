import { describe, expect, it } from 'vitest'
import { send, withSandbox } from '../support/api'
import { signUpSomebody } from '../support/signed-in'

withSandbox()

const create = (raw: string | ReadableStream<Uint8Array>, headers: Record<string, string> = {}) =>
  send('/api/trpc/keys.create', { raw, headers })

describe('the dashboard’s procedures', () => {
  it('413 for a body beyond 1 MiB, with or without Content-Length, of somebody who is signed in', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(2 ** 20) })
    const { cookie } = await signUpSomebody()
    const headers = { cookie: `${cookie.name}=${cookie.value}` }
    for (const body of [large, new Blob([large]).stream()]) expect((await create(body, headers)).status).toBe(413)
    for (const body of [large, new Blob([large]).stream()]) expect((await create(body)).status).toBe(401)
  })

  it('401 without a session, also where the body is not JSON', async () => {
    expect((await create(JSON.stringify({ name: 'a' }))).status).toBe(401)
    expect((await create('{"name')).status).toBe(401)
  })

  it('400 for more than 20 calls in one request, before any is looked at', async () => {
    const batch = (size: number) => send(`/api/trpc/${Array(size).fill('account.me').join(',')}?batch=1&input={}`)
    expect((await batch(20)).status).toBe(401)
    expect((await batch(21)).status).toBe(400)
  })
})
