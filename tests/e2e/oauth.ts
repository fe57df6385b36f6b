import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { E2E_URL } from './address'

const post = (path: string, type: string, body: string) =>
  fetch(E2E_URL + path, { method: 'POST', headers: { 'content-type': type }, body })

/** An application on this machine that asks for access: it listens for its user's browser. */
export async function startApplication(name: string) {
  const server = createServer((_req, res) => {
    res.setHeader('content-type', 'text/html')
    res.end('<title>Connected</title><link rel="icon" href="data:,"><h1>Connected</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const redirect = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  const registered = await post(
    '/register',
    'application/json',
    JSON.stringify({ client_name: name, redirect_uris: [redirect] }),
  )
  const { client_id } = (await registered.json()) as { client_id: string }
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id,
    redirect_uri: redirect,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'the state',
  })
  return {
    redirect,
    /** Where the application sends its user. */
    authorizePath: `/authorize?${query}`,
    /** The key that it gets for a code. */
    exchange: async (code: string): Promise<string> => {
      const form = {
        grant_type: 'authorization_code',
        code,
        client_id,
        redirect_uri: redirect,
        code_verifier: verifier,
      }
      const answer = await post('/token', 'application/x-www-form-urlencoded', new URLSearchParams(form).toString())
      const { access_token } = (await answer.json()) as { access_token: string }
      return access_token
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
