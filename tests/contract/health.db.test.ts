import { afterEach, describe, expect, it } from 'vitest'
import { readVersion } from '../../server/cli/migrations/version'
import { env } from '../../server/env'
import { provideVersion } from '../../server/http/version'
import { send, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'

withSandbox()

describe('/healthz', () => {
  it('200 while the process lives', async () => {
    const answer = await send('/healthz')
    expect(answer).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(answer.headers.get('x-request-id')).toMatch(/\S/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

describe('/readyz', () => {
  it('200 while the database answers', async () => {
    const answer = await send('/readyz')
    expect(answer).toMatchObject({ status: 200, body: { status: 'ready' } })
    expect(answer.headers.get('x-request-id')).toMatch(/\S/)
  })
})

describe('/version', () => {
  it('200 with version, commit and newest migration, without a key and with any', async () => {
    const version = readVersion()
    provideVersion(version)
    for (const key of [undefined, 'no-key']) {
      const answer = await send('/version', { key })
      expect(answer).toMatchObject({ status: 200, body: version })
      expect(answer.headers.get('x-request-id')).toMatch(/\S/)
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
    expect(version).toMatchObject({ name: 'tollgate', version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
    expect(version.schema).toMatch(/^\d{14}_\w+$/)
  })

  it('200 to HEAD, without a body', async () => {
    const answer = await send('/version', { method: 'HEAD' })
    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  })
})

describe('/metrics', () => {
  const token = 'a-token-for-metrics'
  const metrics = (authorization?: string) => send('/metrics', { headers: authorization ? { authorization } : {} })
  afterEach(() => {
    Object.assign(env(), { METRICS_TOKEN: undefined })
  })

  it('404 where no METRICS_TOKEN is set', async () => {
    expect(await metrics(`Bearer ${token}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await metrics('Bearer undefined')).toMatchObject({ status: 404 })
  })

  it('401 without the token, with a wrong one, and with a key', async () => {
    Object.assign(env(), { METRICS_TOKEN: token })
    const { key } = await makeCaller()
    for (const given of [
      undefined,
      'Bearer x',
      token,
      `Bearer ${token}x`,
      `Bearer ${key.key}`,
      `Bearer ${'é'.repeat(token.length)}`,
    ]) {
      expect(await metrics(given), given).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    }
  })

  it('200 in Prometheus’ text', async () => {
    Object.assign(env(), { METRICS_TOKEN: token })
    const answer = await metrics(`Bearer ${token}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(answer.text).toContain('# TYPE tollgate_requests_total counter')
  })
})

describe('405', () => {
  it.each(['/healthz', '/readyz', '/version', '/metrics'])(
    'is answered to anything but reading at %s',
    async (path) => {
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const answer = await send(path, { method })
        expect(answer.status).toBe(405)
        expect(answer.headers.get('allow')).toBe('GET, HEAD')
      }
    },
  )
})
