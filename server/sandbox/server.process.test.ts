import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runToEnd } from '../../tests/support/run-to-end'

let other: Server
let env: Record<string, string>
beforeAll(async () => {
  other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  env = { SANDBOX_URL: `http://127.0.0.1:${(other.address() as AddressInfo).port}`, NODE_ENV: 'production' }
})
afterAll(() => other.close())

const start = (...more: string[]) =>
  runToEnd(process.execPath, ['--import', 'tsx', 'server/sandbox/server.ts', ...more], env)

test('a taken port is one line of JSON in production', async () => {
  const { code, stdout, stderr } = await start()
  expect([code, stdout, JSON.parse(stderr).msg]).toEqual([
    1,
    '',
    expect.stringMatching(/^Port \d+ is taken: .*SANDBOX_URL/),
  ])
})

test('one that web and worker start at the same time leaves the port to the other, and says nothing', async () => {
  expect(await start('--if-free')).toMatchObject({ code: 0, stdout: '', stderr: '' })
})
