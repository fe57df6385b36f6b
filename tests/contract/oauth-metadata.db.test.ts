import { describe, expect, it } from 'vitest'
import { env } from '../../server/env'
import { send, withSandbox } from '../support/api'
import { MCP_PATH } from '../support/mcp'

withSandbox()

const origin = () => new URL(env().PUBLIC_URL).origin
const RESOURCE = '/.well-known/oauth-protected-resource'

describe('200', () => {
  it('the 401 of the MCP endpoint names metadata of the resource, which names the server', async () => {
    const refused = await send(MCP_PATH, { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
    expect(refused.status).toBe(401)
    const challenge = refused.headers.get('www-authenticate') ?? ''
    expect(challenge).toBe(`Bearer realm="tollgate", resource_metadata="${origin()}${RESOURCE}${MCP_PATH}"`)
    const resource = await send(`${RESOURCE}${MCP_PATH}`)
    expect(resource).toMatchObject({
      status: 200,
      body: { resource: `${origin()}${MCP_PATH}`, authorization_servers: [origin()] },
    })
    expect((await send(RESOURCE)).body).toMatchObject({ resource: origin(), authorization_servers: [origin()] })
  })

  it('metadata of the server has absolute URLs of the endpoints, and what is served there', async () => {
    const { status, headers, body } = await send('/.well-known/oauth-authorization-server')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(body).toMatchObject({
      issuer: origin(),
      authorization_endpoint: `${origin()}/authorize`,
      token_endpoint: `${origin()}/token`,
      registration_endpoint: `${origin()}/register`,
      revocation_endpoint: `${origin()}/revoke`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
  })

  it('a page of any site may read it', async () => {
    const answer = await send(RESOURCE, { headers: { origin: 'https://inspector.example' } })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
  })
})

describe('204', () => {
  it.each([RESOURCE, '/.well-known/oauth-authorization-server', '/register', '/token', '/revoke'])(
    'is the answer to a preflight of %s',
    async (path) => {
      const answer = await send(path, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://inspector.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type, mcp-protocol-version',
        },
      })
      expect(answer).toMatchObject({ status: 204, text: '' })
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-allow-headers')).toBe('content-type, mcp-protocol-version')
    },
  )
})

describe('404', () => {
  it.each([
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/api/v1/mcp',
    '/.well-known/oauth-authorization-server/api/v1/mcp',
    '/.well-known/oauth-protected-resource/other',
    '/.well-known/',
    '/.well-known/constructor',
  ])('is JSON at %s', async (path) => {
    const answer = await send(path, { headers: { accept: 'text/html' } })
    expect(answer).toMatchObject({ status: 404, body: { error: 'not_found', error_description: expect.any(String) } })
  })
})

describe('405', () => {
  it.each([
    ['POST', RESOURCE, 'GET, HEAD, OPTIONS'],
    ['DELETE', '/.well-known/oauth-authorization-server', 'GET, HEAD, OPTIONS'],
    ['GET', '/register', 'POST, OPTIONS'],
    ['GET', '/token', 'POST, OPTIONS'],
    ['PUT', '/revoke', 'POST, OPTIONS'],
    ['OPTIONS', '/token', 'POST, OPTIONS'],
    ['POST', '/authorize', 'GET, HEAD'],
  ])('%s %s is answered with Allow', async (method, path, allow) => {
    const answer = await send(path, { method, headers: { accept: 'text/html' } })
    expect(answer).toMatchObject({ status: 405, body: { error: 'invalid_request' } })
    expect(answer.headers.get('allow')).toBe(allow)
  })
})
