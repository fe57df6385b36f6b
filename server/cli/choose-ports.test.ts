import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { choosePort, chooseSandbox } from './choose-ports'

let taken: Server
let port: number

beforeEach(async () => {
  taken = createServer((_req, res) => res.end('ok'))
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  port = (taken.address() as AddressInfo).port
})

afterEach(() => new Promise((resolve) => taken.close(resolve)))

const settings = (given: Record<string, string>) => given as NodeJS.ProcessEnv

describe('choosePort', () => {
  it('refuses a given port that is taken, in one line', async () => {
    await expect(choosePort(settings({ PORT: String(port) }))).rejects.toThrow(/^Port \d+ is taken\..*$/)
  })

  it('finds a port when none is given', async () => {
    const env = settings({})
    await choosePort(env)
    expect(Number(env.PORT)).toBeGreaterThanOrEqual(3000)
  })
})

describe('chooseSandbox', () => {
  it('uses what answers at a given SANDBOX_URL', async () => {
    expect(await chooseSandbox(settings({ UPSTREAMS: 'sandbox', SANDBOX_URL: `http://127.0.0.1:${port}` }))).toBe(false)
  })

  it('starts one at a given SANDBOX_URL where nothing answers', async () => {
    await new Promise((resolve) => taken.close(resolve))
    expect(await chooseSandbox(settings({ UPSTREAMS: 'sandbox', SANDBOX_URL: `http://127.0.0.1:${port}` }))).toBe(true)
  })

  it('starts none in live mode', async () => {
    const env = settings({ UPSTREAMS: 'live' })
    expect(await chooseSandbox(env)).toBe(false)
    expect(env.SANDBOX_URL).toBeUndefined()
  })

  it('starts one in live mode where providers are simulated', async () => {
    const env = settings({ UPSTREAMS: 'live', SANDBOX_PROVIDERS: 'reddit' })
    expect(await chooseSandbox(env)).toBe(true)
    expect(env.SANDBOX_URL).toMatch(/^http:\/\/127\.0\.0\.1:/)
  })
})
