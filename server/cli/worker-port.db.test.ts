import type { Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withSandbox } from '../../tests/support/api'
import { sendHttp } from '../../tests/support/http'
import { loseDatabase } from '../../tests/support/lost-database'
import { METRICS_HEADER, parseMetrics, withMetrics } from '../../tests/support/metrics'
import { takePort } from '../../tests/support/ports'
import { env } from '../env'
import { provideVersion } from '../http/version'
import { readVersion } from './migrations/version'
import { openWorkerPort } from './worker-port'

withSandbox()
withMetrics()

let server: Server | null
let port: number
const read = (path: string, headers = {}, method = 'GET') =>
  sendHttp(`http://127.0.0.1:${port}${path}`, { method, headers })

beforeAll(async () => {
  port = await takePort()
  server = await openWorkerPort({ ...env(), METRICS_PORT: port, HOST: '127.0.0.1' })
})
afterAll(() => {
  server?.closeAllConnections()
  server?.close()
})

describe('the port of a worker', () => {
  it('says that it lives, and that it can work', async () => {
    expect(await read('/healthz')).toMatchObject({ status: 200, text: '{"status":"ok"}' })
    expect(JSON.parse((await read('/readyz')).text)).toMatchObject({ status: 'ready' })
  })

  it('says which version it is, to anyone who reads', async () => {
    provideVersion(readVersion())
    const { status, text } = await read('/version')
    expect([status, JSON.parse(text)]).toEqual([200, readVersion()])
    expect((await read('/version', {}, 'HEAD')).text).toBe('')
    const refused = await read('/version', {}, 'DELETE')
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('has the metrics, for the token alone', async () => {
    expect((await read('/metrics')).status).toBe(401)
    expect((await read('/metrics', { authorization: 'Bearer x' })).status).toBe(401)
    const { status, text } = await read('/metrics', METRICS_HEADER)
    expect(status).toBe(200)
    expect(parseMetrics(text).has('tollgate_credits_charged_total', { product: 'agent' })).toBe(true)
  })

  it('has nothing else, and only answers reading', async () => {
    for (const path of ['/', '/api/v1/key', '/metrics/x']) expect((await read(path)).status).toBe(404)
    expect((await read('/metrics', METRICS_HEADER, 'POST')).status).toBe(405)
  })

  it('is not ready without a database, and goes on answering', async () => {
    const findDatabase = loseDatabase()
    try {
      expect((await read('/readyz')).status).toBe(503)
      expect((await read('/healthz')).status).toBe(200)
      expect((await read('/metrics', METRICS_HEADER)).status).toBe(200)
    } finally {
      findDatabase()
    }
  })
})

it('opens nothing where no port is set, and names the setting where it is taken', async () => {
  expect(await openWorkerPort({ ...env(), METRICS_PORT: undefined })).toBeNull()
  const again = openWorkerPort({ ...env(), METRICS_PORT: port, HOST: '127.0.0.1' })
  await expect(again).rejects.toThrow(`Port ${port} is taken: set METRICS_PORT`)
})
