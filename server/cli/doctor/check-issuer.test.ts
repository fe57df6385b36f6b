import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkIssuer } from './check-issuer'

let answer: { status: number; body: unknown } = { status: 200, body: {} }
const server = createServer((req, res) => {
  res.writeHead(req.url === '/staff/.well-known/openid-configuration' ? answer.status : 404)
  res.end(JSON.stringify(answer.body))
})
let issuer = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/staff`
})
afterAll(() => void server.close())

const described = (change: object = {}) => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/me`,
  ...change,
})

test('nothing is looked at without an issuer', async () => {
  expect(await checkIssuer({ AUTH_OIDC_ISSUER: undefined })).toEqual([])
})

test('an issuer that describes itself by the name that is set is well', async () => {
  answer = { status: 200, body: described() }
  expect(await checkIssuer({ AUTH_OIDC_ISSUER: issuer })).toMatchObject([{ state: 'ok' }])
})

test('one with another name, without an endpoint or without an answer is said', async () => {
  const textOf = async (status: number, body: unknown, of = issuer) => {
    answer = { status, body }
    const [found] = await checkIssuer({ AUTH_OIDC_ISSUER: of })
    return found?.state === 'fail' ? found.text : undefined
  }
  expect(await textOf(200, described({ issuer: `${issuer}/` }))).toBe(`it calls itself ${issuer}/`)
  expect(await textOf(200, described({ userinfo_endpoint: undefined }))).toMatch(/lacks userinfo_endpoint$/)
  expect(await textOf(404, {})).toMatch(/answers 404$/)
  expect(await textOf(200, described(), 'http://127.0.0.1:1')).toMatch(/ECONNREFUSED|fetch failed|bad port/)
})
